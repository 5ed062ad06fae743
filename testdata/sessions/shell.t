# The command line: comments, several commands, pipes, files, the shell, unknown words, scripts.
guest: any
form: vmlinux

obit> # only a comment
(nothing)

obit> sym panic # with a comment
~ panic

obit> sym panic; sym init_task
~ panic
~ init_task

obit> ps | grep -c spinner
1

obit> ps 1 > out
obit> ! grep -c init out
1

obit> sym panic > out
obit> sym init_task >> out
obit> ! wc -l < out
2

obit> ! echo from the shell
from the shell

# a quoted bar is no pipe
obit> ! echo 'a | b'
a | b

obit> no_such_word
status: 1
stderr: ~ no_such_word
(nothing)

# a failure does not stop what follows
obit> no_such_word
obit> sym panic
status: 1
~ panic

# -i, stdin, and their order
$ echo 'sym panic' >a && obit -s "$VMLINUX" "$VMCORE" -i a
~ panic

$ echo 'sym panic' | obit -s "$VMLINUX" "$VMCORE"
~ panic

# the order of files does not matter
$ obit "$VMCORE" "$VMLINUX" -c 'sym panic'
~ panic

# results on stdout, diagnostics on stderr
$ obit "$VMLINUX" "$VMCORE" -c no_such_word 2>/dev/null
status: 1
(nothing)

# a reader that goes away is a quiet end
$ obit "$VMLINUX" "$VMCORE" -c log | head -n 1 | wc -l
1

# The number that the Makefile has, and the commit where there is one.
$ obit --version
~ ^obit [0-9.]+( \([0-9A-Za-z.-]+\))?$

$ obit --version | cut -d ' ' -f 2; obit --list-commands --json | jq -r 'select(.record == "schema").obit' | sed 's/^/obit /' >a; obit --version | cmp - a; sed -n 's/^VERSION := //p' "$TOP/Makefile" >b; obit --version | grep -cFf b
~ ^[0-9.]+$
1

$ obit --help | grep -cE '^ *--json'
1
