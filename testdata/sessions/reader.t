# Another reader of the same dump says the same: libkdumpfile and obit's own share no code.
guest: amd64-6.1-kdump arm64-6.1-elf
form: vmlinux

$ own=$(obit -s "$VMLINUX" "$VMCORE" -c bt -c log); [ "$own" ] && [ "$own" = "$(obit -s --reader libkdumpfile "$VMLINUX" "$VMCORE" -c bt -c log)" ] && echo alike
alike

$ obit -s --reader=libkdumpfile "$VMCORE" -c sys | grep -c 'read by libkdumpfile'
1

# The names are those of the readers of dumps, and of no others.
$ obit --reader ramoops "$VMCORE" -c bt
status: 2
stderr: ~ no reader of dumps is called 'ramoops': there are elfcore, flat, kdump, libkdumpfile, sadump

$ obit --reader
status: 2
stderr: ~ '--reader' needs a name

# A file of another form is said to be one, and so is what the library does not know.
$ obit --reader sadump "$VMCORE" -c bt; obit --reader libkdumpfile "$(dirname "$VMCORE")/vmcore.flat" -c bt
status: 3
stderr: ~ --reader sadump, although this is none of its files
stderr: ~ is flattened, which libkdumpfile does not know
(nothing)

# Each gdb that asks has a process of its own here, too: what one sets the next one has not, and who reads no answer keeps nobody.
$ for what in states deaf; do python3 "$TOP/testdata/faces/gdb_client.py" $what --reader libkdumpfile "$VMLINUX" "$VMCORE"; done
True True
0 False
0 False
