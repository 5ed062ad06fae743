# The pages for who comes from another tool: each of our words that they name is a command that takes these options.
guest: amd64-6.1-elf
form: vmlinux

$ for tool in crash gdb drgn; do obit -s -c "help $tool" | awk '/^THE SAME WORDS/ { same = 1; next } /^[A-Z]/ { same = 0 } same { for (i = 1; i <= NF; i++) print $i; next } /^OTHER/ { other = 1; next } other && substr($0, 27, 2) == "  " && substr($0, 29, 1) != " " && length($0) > 28 && $0 !~ /\(none\)/ { print substr($0, 29) }'; done | sort -u >ours; n=0; while read -r line; do case $line in r | help* | foreach*) n=$((n + 1)); continue ;; esac; obit -s -c "$line --help" >out 2>&1 && grep -q '^NAME' out && n=$((n + 1)) || echo "$line"; done <ours; [ $n -gt 80 ] && echo all
all

# a word of another tool, typed by habit
obit> backtrace
status: 1
stderr: ~ for gdb's type 'bt'
(nothing)

obit> lx-dmesg
status: 1
stderr: ~ for gdb's type 'log'
(nothing)

obit> extend
status: 1
stderr: ~ crash's: there are no extensions
(nothing)

# and a mistyped one of our own
obit> strcut
status: 1
stderr: ~ did you mean 'struct'
(nothing)

# the nearest alone: one letter is missing, where two would make last and quit of it
$ obit -c wait 2>&1; echo $?
command not found: 'wait'; did you mean 'waitq' or 'waits'?
1

obit> help dis
...
IN CRASH
~ ^  Of an address
...

obit> help help
...
~ ^  help crash$
...

obit> help nosuch
status: 1
stderr: ~ no command 'nosuch'
(nothing)
