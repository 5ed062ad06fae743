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
