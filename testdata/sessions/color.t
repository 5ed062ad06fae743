# Colours, links and ASCII. Which sequences are expected is ECMA-48's SGR (1 bold, 31 red) and the OSC 8 that
# terminals agreed on; where, no-color.org and grep's habits: on a terminal, and with "always" anywhere.
guest: any
form: vmlinux

# a pipe and a file have none, even where stderr is a terminal; JSON never has
$ esc=$(printf '\033'); export TERM=xterm; obit "$VMLINUX" "$VMCORE" -c ps | grep -c "$esc"; obit "$VMLINUX" "$VMCORE" -c ps >out; grep -c "$esc" out; obit --color always --json "$VMLINUX" "$VMCORE" -c ps | grep -c "$esc"; script -qec "obit --json --no-pager $VMLINUX $VMCORE -c ps" /dev/null | grep -c "$esc"; :
0
0
0
0

# on a terminal the head is bold and the task that died is red: who that is, the guest's crasher
$ esc=$(printf '\033'); export TERM=xterm; tty() { script -qec "obit --no-pager $* $VMLINUX $VMCORE -c ps" /dev/null; }; tty | tr -d '\r' >out; grep "^ *$esc\[1m" out | grep -c 'PID .*COMM'; grep "^$esc\[31m.* crasher$esc\[0m$" out | wc -l; grep -c "$esc\[31m" out; NO_COLOR=1 tty | grep -c "$esc"; NO_COLOR= tty | grep -c "$esc"; NO_COLOR=1 tty --color always | grep -c "$esc"; tty --color=never | grep -c "$esc"; TERM=dumb tty | grep -c "$esc"; :
1
1
1
0
2
2
0
0

# into a pipe or a file of a line, too, only where always was asked for
$ esc=$(printf '\033'); export TERM=xterm; script -qec "obit --no-pager $VMLINUX $VMCORE -c 'ps > out' -c 'ps | cat > piped' -c 'set color always' -c 'ps > all'" /dev/null >err; grep -c "$esc" out; grep -c "$esc" piped; grep -c "$esc" all; :
0
0
2

# the colours take no room: without them all is as it was
$ esc=$(printf '\033'); obit "$VMLINUX" "$VMCORE" -c ps -c triage -c bt -c 'sym panic' >plain; obit --color always "$VMLINUX" "$VMCORE" -c ps -c triage -c bt -c 'sym panic' | sed "s/$esc\[[0-9;]*m//g" | cmp - plain && echo same
same

# what failed is red on stderr, where that is a terminal or always was asked for
$ esc=$(printf '\033'); obit -c nope 2>&1 | grep -c "$esc"; obit --color always -c nope 2>&1 | grep -c "^$esc\[31m.*nope"; :
0
1

$ obit --color sometimes -c '! echo no'
status: 2
stderr: ~ 'sometimes' is none of auto, always, never
(nothing)

# links: only where asked for, on a terminal or with always; the line is the one that is printed
$ esc=$(printf '\033'); export TERM=xterm; mkdir -p 'a b/kernel'; seq 9 >'a b/kernel/panic.c'; o() { obit --source "$PWD/a b" "$@" "$VMLINUX" "$VMCORE" -c 'bt -l'; }; o --color always | grep -c "$esc]8"; o --links | grep -c "$esc"; o --links --color always >out; n=$(o | sed -n 's/^ *kernel\/panic.c: \([0-9]*\)$/\1/p' | head -1); echo "    $esc]8;;file://$PWD/a%20b/kernel/panic.c#$n$esc\\kernel/panic.c: $n$esc]8;;$esc\\" >want; grep -cFxf want out; sed "s/$esc\[[0-9;]*m//g; s/$esc]8;[^$esc]*$esc\\\\//g" out >a; o | cmp - a && echo same
0
0
1
same

# --ascii: a name that is not ASCII (UTF-8 of e with an acute accent: c3 a9) is escaped, in JSON as JSON has it
$ printf 'Oops: caf\303\251 [#1]\nCall Trace:\n vfs_read+0x10/0x330\n' >r.txt; for o in '' --json; do obit --ascii $o r.txt | LC_ALL=C grep -c "$(printf '[\200-\377]')"; done; obit --json --ascii -c "p 'caf$(printf '\303\251')'" 2>&1 | grep -c 'caf\\u00e9'; obit --ascii -c "caf$(printf '\303\251')" 2>&1 | grep -cF 'caf\xc3\xa9'; :
0
0
1
1

obit> set color red
status: 2
stderr: ~ 'color' is auto, always or never
(nothing)

# less keeps the head of a table since its version 600, and is asked to only where one is all of the screen,
# and where the option is its own: behind '| cat' it would be cat's, and cat would fail
$ mkdir bin; printf '#!/bin/sh\n[ "$1" = --version ] && { echo "less $LESS_IS (GNU regular expressions)"; exit; }\necho "called with ${*:-nothing}"\ncat >/dev/null\n' >bin/less; chmod +x bin/less; export PATH=$PWD/bin:$PATH; unset PAGER OBIT_PAGER LESS; press() { python3 "$TOP/testdata/terminal/press.py" 80x10 "$1" -- obit --no-rc "$VMLINUX" "$VMCORE" | grep -o 'called with .*'; }; export LESS_IS=600; press 'ps\n'; press 'log\n'; press 'help\n'; LESS_IS=599 press 'ps\n'; PAGER='less -S' press 'ps\n'; PAGER='env less' press 'ps\n'; PAGER='less -R | cat' press 'ps\n'; :
called with --header=1
called with nothing
called with nothing
called with nothing
called with -S --header=1
called with nothing
called with -R
