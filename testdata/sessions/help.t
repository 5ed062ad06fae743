# Help is made of the command table, needs no dump, and knows every command.
guest: none

obit> help
...
~ bt
...

obit> help bt
...
~ backtrace
...

obit> ps --help
...
~ ps
...

obit> help no_such_command
status: 1
stderr: ~ no_such_command
(nothing)

# each command of the table has its page
$ obit --list-commands --json | jq -r 'select(.record == "command") | .name' | while read -r c; do obit -c "help $c" | grep -q . || echo "no help of $c"; done
(nothing)
