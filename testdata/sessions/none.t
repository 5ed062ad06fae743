# "There is none" and "it was not read" never look alike: a command that found nothing says so, in JSON by a record that
# names the kind there is none of. The guest had no swap area, no object of System V IPC, and one listening socket.
guest: amd64-6.1-elf
form: vmlinux

obit> swap
no swap area

obit> ipcs
no such object of System V IPC

obit> net -s 1
no such network device, neighbour or socket

obit> waitq init_task.signal.wait_chldexit
nobody waits there

obit> foreach 1 bt -R nosuchfunction
no such task, or nothing to say of any

obit> ps | where pid == 99999999
no value

obit> ps | where pid == 99999999 | pick comm
no value

obit> ps | where pid == 99999999 | bt
no such backtrace

# one line in place of each thing there is none of, and none in place of nothing else
$ obit -s --json "$VMLINUX" "$VMCORE" -c swap -c 'ps | where pid == 99999999' | jq -c .
{"record":"none","of":"swap","text":"no swap area"}
{"record":"none","of":"item","text":"no value"}

# a line that runs for each of many is silent for those it has nothing of
obit> foreach 'napper|init' net -s
? length == 1 and .[0].record == "none"

# a command that could not read what it looks for says that, and not that there is none
$ s=$(printf 's/\\x00ipc_ids\\x00/\\x00Qpc_ids\\x00/g'); LC_ALL=C sed "$s" "$VMCORE" >lost; obit -s lost -c ipcs | grep -c 'no such object'; rm -f lost
stderr: ~ no type 'struct ipc_ids'
0
