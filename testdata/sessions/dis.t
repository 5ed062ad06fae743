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

# Up to an address and on from it, which both mark.
obit> dis -r do_nanosleep+8
~ ^ +0x[0-9a-f]+ <do_nanosleep>:  
...
~ ^=> 0x[0-9a-f]+ <do_nanosleep\+8>:  
? kind("insn")[0].offset == 0 and (kind("insn")[-1] | .offset == 8 and .current)

obit> dis -f do_nanosleep+8
~ ^=> 0x[0-9a-f]+ <do_nanosleep\+8>:  
...
? (kind("insn")[0] | .offset == 8 and .current) and (kind("insn") | length > 20)

# A call is five bytes in x86-64 and four in arm64: the next byte begins nothing that the kernel ran.
# From there on -f shows the function's own instructions, as -r does up to there; a count of bytes as
# they were asked for stays possible, and is said to be inside of one.
$ a=$(obit --no-rc --json $VMLINUX $VMCORE -c 'dis do_nanosleep' | jq -r 'select(.target_name == "schedule") | .offset' | head -1); obit --no-rc --json $VMLINUX $VMCORE -c "dis -f do_nanosleep+$((a + 1))" -c "dis -f do_nanosleep+$a" -c "dis do_nanosleep+$((a + 1)) 2" | jq -s --argjson a "$a" '[.[] | select(.record == "note")] as $n | ($n | length) == 2 and ($n | all(.reason == "usage" and (.text | contains("do_nanosleep+\($a) begins 1 bytes before")))) and ([.[] | select(.record == "insn") | .offset] as $o | $o[0] == $a and ($o | index($a + 1)) != null and ($o | map(select(. == $a)) | length) == 2)'
true

# Lines are those that `line` tells; crash's -s: file, line and the text around it.
obit> dis -l do_nanosleep 1; line do_nanosleep
? kind("insn_line")[0] as $p | kind("line")[0] | .file == $p.file and .line == $p.line

obit> dis no_such_function
status: 1
stderr: ~ no_such_function
(nothing)

obit> dis do_nanosleep nine
status: 2
stderr: ~ nine
(nothing)

obit> dis 0x123
status: 1
stderr: ~ 0x123
(nothing)

# No instruction has its first byte at the last of all addresses and others behind it.
obit> dis -1
status: 1
stderr: ~ 0xffffffffffffffff
(nothing)

# Offsets in hexadecimal, as crash's -x.
obit> dis -x -r do_nanosleep+0x20
...
~ <do_nanosleep\+0x1[0-9a-f]>:
...

# The vmlinux alone has code too, as it was linked: objdump's first instruction is ours.
$ obit --no-rc $VMLINUX --json -c 'dis vfs_write 1' | jq -r '.addr + " " + .bytes' >told
$ a=$(nm $VMLINUX | awk '$3 == "vfs_write" { print "0x" $1 }'); gdb -nx -batch -ex "x/4xb $a" $VMLINUX 2>/dev/null | sed 's/.*:\t//; s/0x//g; s/\t//g' >said
$ grep -qi "^$a $(cut -c 1-8 said)" told && echo same
same

# Data is shown as asked, and called what it is; nm has linux_banner among the data, and do_nanosleep among the code.
obit> dis linux_banner 1; dis do_nanosleep 1
~ ^note: 0x[0-9a-f]+ is in the data of linux_banner, and these are no instructions$
~ <linux_banner>:
~ <do_nanosleep>:
