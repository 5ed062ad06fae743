# No program of these guests locks a file (testdata/guests/inside), so there is none; of an operand that is another thing to say.
guest: amd64-6.1-elf amd64-6.12-elf arm64-6.1-elf
form: vmlinux alone
needs: data

obit> locks
no file is locked

obit> locks 1
no such lock of a file

obit> locks | count
0
