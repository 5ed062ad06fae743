# Help is made of the command table, needs no dump, and knows every command.
guest: none

obit> help
...
~ bt
...

# what a newcomer needs comes first, and each command is in its group once
$ obit -c help | sed -n '2,7s/^  \([a-z]*\)  .*/\1/p' | tr '\n' ' '; obit --list-commands --json | jq -r 'select(.record == "command").name' | LC_ALL=C sort >names; wide=$(awk '{ if (length > n) n = length } END { print n + 2 }' names); obit -c help | sed -n '9,$s/^  \([a-z]\)/\1/p' | sed '/^help CMD/d' | cut -c "1-$((wide - 2))" | sed 's/ *$//' | LC_ALL=C sort | diff names - && echo all
triage sys log bt ps oops all

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

# The schema says of an option what it takes, as its help page shows it: nothing, a text, one or several times, a number, or
# how often it was given.
$ obit --list-commands --json | jq -r 'select(.record == "command") | .name as $n | .options[] | "\($n) \(.option): \(.kind)"' | grep -xE '(bt -l|trace show (-F|-i|-n)|rd -S): .*'
bt -l: flag
rd -S: count
trace show -i: string
trace show -F: strings
trace show -n: unsigned
