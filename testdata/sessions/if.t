# What if runs follows from C: 0 is false. The page is as any command's.
guest: none

$ printf '%s\n' 'if 1 ! echo one' 'if 0 ! echo two' 'if 2 > 1 ! echo' >f; obit -i f 2>said; cat said
one
f:3: 'if 2' is all of the expression: one with blanks goes in ( )

$ obit -c 'if --help' | grep -A1 SYNOPSIS
SYNOPSIS
  if expression command [else command]

$ obit -c if; echo $?
2

# A block as gdb has it is refused whole: what a person put under a condition is not run without it.
$ printf '%s\n' 'if 1 == 2' '! echo one' else '! echo two' end '! echo three' 'while 0' '! echo four' end >f; obit -i f 2>said; cat said
three
f:1: 'if 1' is all of the expression: one with blanks goes in ( ); no line up to its 'end' is run
f:7: there is no 'while': 'each' runs a command for each value; no line up to its 'end' is run

$ obit -c 'if 1 # always' -c '! echo one' 2>&1; echo $?
'if 1' wants a command behind it; no line up to its 'end' is run
'end' is missing behind its lines
2
