# A command several times, each of which is a command of its own.
guest: amd64-6.1-elf arm64-6.1-elf armhf-6.1-elf
form: vmlinux

obit> repeat -n 3 p sizeof(char)
sizeof(char) = 1
sizeof(char) = 1
sizeof(char) = 1

# "$1" is the first value that p printed, and the third of them is "$"
obit> repeat -n 2 p sizeof(int) | grep -c 4
2

# ten, as nobody said how often; crash's seconds may stand in front
obit> repeat -0 p sizeof(char) | grep -c 1
10

# what fails, fails each time, and is told
obit> repeat -n 2 p no_such_symbol
status: 1
stderr: ~ no_such_symbol
(nothing)

# it waits in between, and not behind the last: a second, and not two
$ start=$(date +%s); obit -s "$VMLINUX" "$VMCORE" -c 'repeat -n 2 -1 p sizeof(char)'; end=$(date +%s); [ $((end - start)) -ge 1 ] && [ $((end - start)) -lt 60 ] && echo waited
sizeof(char) = 1
sizeof(char) = 1
waited

# Ctrl-C ends what would take an hour
$ timeout -s INT 5 obit -s "$VMLINUX" "$VMCORE" -c 'repeat -n 2 -3600 p sizeof(char)' 2>&1 | head -1
sizeof(char) = 1

obit> repeat
status: 2
(nothing)

obit> repeat -n 1001 p 1
status: 2
stderr: ~ 1 to 1000
(nothing)

obit> repeat -3601 p 1
status: 2
stderr: ~ seconds
(nothing)

obit> repeat repeat p 1
status: 2
stderr: ~ no other command
(nothing)
