# Which files of command lines run by themselves: ~/.obitrc at the prompt, and nothing else. A folder
# that was unpacked belongs to whoever unpacked it, so its .obitrc proves no intent; and a program
# that asks a question gets an answer to it alone. Each file here would print a word of its own.
guest: none

# the current folder's file is run by no form of obit, and the person's by no batch
$ echo '! echo planted' >.obitrc; mkdir home; echo '! echo own' >home/.obitrc; chmod 600 .obitrc home/.obitrc; export HOME=$PWD/home; obit -c '! echo c'; echo '! echo i' >i; obit -i i; echo '! echo stdin' | obit -i -; obit oops "$TOP/testdata/captures/oops/x86-null.txt" | grep -cE "^(own|planted)"; :
c
i
stdin
0

# at the prompt the person's is run, once, and no other; --no-rc takes it away
$ echo '! echo planted' >.obitrc; mkdir home; echo '! echo own' >home/.obitrc; chmod 600 .obitrc home/.obitrc; export HOME=$PWD/home; for o in -s --no-rc; do echo quit | script -qec "obit -s $o $TOP/testdata/captures/trace/events.dat.xz" /dev/null | grep -oE '^(own|planted)'; echo "$o"; done
own
-s
--no-rc

# what is named is run everywhere, whoever may write it, in order and in the person's stead
$ echo '! echo own' >.obitrc; chmod 600 .obitrc; export HOME=$PWD; echo '! echo one' >1; echo '! echo two' >2; chmod 666 1 2; obit --rc 1 --rc=2 -c '! echo c'; echo quit | script -qec "obit -s --rc 2 $TOP/testdata/captures/trace/events.dat.xz" /dev/null | grep -oE '^(own|one|two)'
one
two
c
two

# and with a report, which no prompt follows
$ echo '! echo one' >1; printf 'BUG: unable to handle page fault' | obit --rc 1 oops - | head -1
one

# an rc file that says quit ends it all
$ echo quit >1; obit --rc 1 -c '! echo c'; printf 'x' | obit --rc 1 oops -
(nothing)

$ obit --rc nowhere -c '! echo c'
status: 1
stderr: cannot read 'nowhere': No such file or directory
c

$ obit -c '! echo c' --rc
status: 2
stderr: ~ '--rc' needs a file
(nothing)

# what cannot be read to its end is no file without lines
$ obit -c 'help < .'
status: 1
stderr: cannot read '.': Is a directory
(nothing)

# nor is what obit says of itself said where it could not be written
$ for o in --help --version '--list-commands --json' '--completion bash'; do obit $o >/dev/full; echo $?; done 2>err; sort -u err
1
1
1
1
obit: cannot write the output: No space left on device
