# Code is what objdump -d shows of the same vmlinux, where nothing patches it at run time; names are
# nm's.
guest: amd64-6.1-kdump amd64-6.12-elf arm64-6.1-elf

# A function's code begins at its address and ends before the next function's.
obit> dis do_nanosleep; sym do_nanosleep
? kind("insn")[0].addr == kind("symbol")[0].addr
? kind("insn") | all(.func == "do_nanosleep" and .module == null)
? kind("insn") | length > 20
# The instructions follow one another without a gap.
? [kind("insn")[] | .offset] as $at | [kind("insn")[] | .bytes | length / 2] as $n | [range(1; $at | length)] | all($at[.] == $at[. - 1] + $n[. - 1])
# It sleeps: kernel/time/hrtimer.c calls schedule().
? kind("insn") | any(.target_name == "schedule")

obit> dis do_nanosleep 3
? kind("insn") | length == 3
? kind("insn") | map(select(.current)) | length == 1

# An address is one instruction; a count makes it more.
obit> dis do_nanosleep+0
? kind("insn") | length == 1

# Up to an address and on from it: together the whole function, and the address twice.
obit> dis do_nanosleep | count
...

obit> dis -r do_nanosleep+0x10; dis -f do_nanosleep+0x10
~ ^=> 0x[0-9a-f]+ <do_nanosleep\+16>:
...

obit> dis no_such_function
status: 1
stderr: ~ no_such_function
(nothing)

obit> dis do_nanosleep nine
status: 2
stderr: ~ nine
(nothing)

obit> dis 0xffff000000000123
status: 4
...
