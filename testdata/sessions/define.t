# Commands of one's own. Who is whose child, and which tasks sleep, is what the guest's own ps said; what a definition may not do
# follows from the manual: nothing that a call is given becomes syntax.
guest: all
form: vmlinux alone
needs: data


# the rest of the line is the command's, so it is called on another
$ printf '%s\n' 'define children(of) ps | where parent->pid == $of && pid == tgid' 'children 1 | pick pid' >f; obit --json -i f "$VMLINUX" "$VMCORE" | jq -s '[.[] | select(.record == "pick") | .pid] | length > 0'
true

# between other stages, and with an operand of the command around it
$ printf '%s\n' 'define named(n) where comm == $n' 'define two(n) ps | named $n' 'two "napper" | pick comm' 'ps | named "kthreadd" | pick comm' 'two "napper | count" | count' 'two "x\" || 1 || \"" | count' >f; obit -i f "$VMLINUX" "$VMCORE"
COMM
napper
napper
COMM
kthreadd
0
0

# an operand stays together, is one word, no option, no command of obit's or the shell's
$ printf '%s\n' 'define of(n) ps | where pid == 2 * $n | pick comm' 'of 0+1' 'define back(t)' '# where it waits' 'ps $t | pick comm' 'end' "back '1 | each bt'" 'back "-k"' 'back "1; ! echo planted"' 'back 1' >f; obit -i f "$VMLINUX" "$VMCORE" 2>said; grep -c . said; grep planted said | grep -c 'echo planted'
COMM
kthreadd
COMM
init
3
1

# shell text gets operands as the shell's variables
$ printf '%s\n' 'define said(word) ps 1 2 | grep -c "$word"' 'said init' "said '\$(echo init)'" 'said "init; echo planted"' >f; obit -i f "$VMLINUX" "$VMCORE"
1
0
0

# what variables are worth at the call, in the shell and behind another task's value as well
$ printf '%s\n' '$a = "init"' 'define said(w) ps 1 2 | grep -c "$w"' 'said $a' 'define both(t)' 'ps 1 | each "p {pid} + $t->pid"' 'end' 'ps 2 | each both $it' >f; obit -i f "$VMLINUX" "$VMCORE"
1
1 + $t->pid = 3

# no line of a definition that is wrong runs by itself
$ printf '%s\n' 'define clean(Dir)' '! echo planted' 'end' 'define w' 'if 1 == 1' 'p 1' 'end' '! echo planted' 'end' 'p 3' >f; obit -i f "$VMLINUX" "$VMCORE" 2>said; echo $?; cut -d: -f1-3 said
3 = 3
2
f:1: define
f:9: define w

# what it prints may go elsewhere, as that of any command
$ printf '%s\n' 'define both' 'ps 1 | pick comm' 'ps 2 | pick comm' 'end' 'both > out' 'both | grep -c COMM' >f; obit -i f "$VMLINUX" "$VMCORE"; cat out
2
COMM
init
COMM
kthreadd

# a recursion has an end
$ printf '%s\n' 'define w' 'w' 'w' 'end' 'w' 'p 1' >f; obit -i f "$VMLINUX" "$VMCORE"
status: 1
stderr: ~ run each other more than 16 deep
1 = 1

obit> define bt ps
status: 2
stderr: ~ 'bt' is a command of obit's
(nothing)

# help lists them by the first line of their comments
$ printf '%s\n' '# tasks of that name' '# and more' 'define named(n) ps | where comm == $n' 'help' 'help named' 'define' >f; obit -i f "$VMLINUX" "$VMCORE" | grep -E -A1 '^your own|^NAME|^SYNOPSIS|^COMMAND'
your own
  named          tasks of that name
--
NAME
  named - tasks of that name
--
SYNOPSIS
  named n
--
COMMAND  PARAMS  LINES
named    n       ps | where comm == $n

# at the prompt the folder is read by rc files' rule; in a batch only when it is named
$ mkdir -p home/.config/obit/commands; d=home/.config/obit/commands; echo 'define one(n) p $n + 1' >$d/a.obit; printf '%s\n' '! echo planted' 'define two p 22' >$d/b.obit; echo 'define three p 33' >$d/c.obit; chmod 755 $d; chmod 644 $d/a.obit $d/b.obit; chmod 666 $d/c.obit; export HOME=$PWD/home; unset XDG_CONFIG_HOME; for c in 'one 1' two three; do obit -c "$c" "$VMLINUX" "$VMCORE" 2>&1; done | sed 's/;.*//'; obit --rc $d -c 'one 1; two; three' "$VMLINUX" "$VMCORE" 2>/dev/null; printf '%s\n' 'one 1' two three quit | script -qec "obit -s $VMLINUX $VMCORE" /dev/null | tr -d '\r' | grep -E '^\$n|^22|^33|^planted|not found|others may|no definition' | sed 's/;.*//; s|^.*/home/|home/|; s|^.home/|home/|; s|^.*/\([abc].obit\)|\1|'
command not found: 'one'
command not found: 'two'
command not found: 'three'
$n + 1 = 2
22 = 22
33 = 33
b.obit:1: '! echo planted' is no definition, and none but such is here
c.obit' is not run: others may write it
$n + 1 = 2
22 = 22
command not found: 'three'

# a served program defines nothing, and reads no file so
$ mkdir -p home/.config/obit/commands; echo 'define one p 11' >home/.config/obit/commands/a.obit; HOME=$PWD/home; export HOME; unset XDG_CONFIG_HOME; printf '%s\n' '{"id":1,"line":"define w p 1"}' '{"id":2,"line":"one"}' '{"id":3,"line":"define w"}' '{"id":4,"line":"! echo planted"}' '{"id":5,"line":"$x = 3; p $x"}' '{"id":6,"line":"if 1 ps | grep x"}' | obit --serve "$VMLINUX" "$VMCORE" | jq -c 'select(.answer.record == "error" or .answer.record == "value") | [.id, .answer.record, .answer.status]'
[1,"error",2]
[2,"error",1]
[3,"error",2]
[4,"error",2]
[5,"value",null]
[6,"error",2]
