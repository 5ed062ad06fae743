# Reports of architectures whose dumps are not read, with their vmlinux: testdata/captures/foreign has one of each. Addresses
# and sizes are what nm and objdump say of it, lines are those of small.c as their own addr2line has them: the load of *t->last
# is in line 12, inlined in line 17, and the calls are in lines 22, 27, 32 and 37.
guest: none

$ for a in mips s390x powerpc; do xz -dc "$TOP/testdata/captures/foreign/$a.xz" >$a; done
$ said() { obit --no-rc --json oops "$@" 2>err | jq -r 'select(.record == "report") | "\(.function): \(.match), \(.match_why); \(.addresses_why)", ([.frames[] | "\(.func):\(.line)"] | join(" "))'; }
$ version='6.1.0-small #1  Debian 6.1.9-1'
$ printf '%s\n' 'CPU 0 Unable to handle kernel paging request at virtual address 00000000, epc == 80100004, ra == 80100030' 'Oops[#1]:' "CPU: 0 PID: 7 Comm: cat Not tainted $version" 'epc   : 80100004 small_read+0x4/0x1c' 'ra    : 80100030 small_show+0x14/0x2c' 'Cause : 00800008 (ExcCode 02)' 'BadVA : 00000000' 'Call Trace:' '[<80100004>] small_read+0x4/0x1c' '[<80100030>] small_show+0x14/0x2c' '[<8010005c>] small_open+0x14/0x2c' '[<80100088>] small_entry+0x14/0x2c' '[<801000b0>] start_kernel+0x10/0x20' '' >m.txt
$ said m.txt mips
# A kernel without kallsyms, and one of 2.6 that did not even say which it was: the code bears the addresses out.
$ sed -E 's/(>\]|: [0-9a-f]{8}) ([a-z_]+\+.*)/\1/; s/^(epc|ra)    ?: ([0-9a-f]*)$/\1   : \2 0x\2/' m.txt >bare.txt; said bare.txt mips; sed 's/^CPU: .*/Cpu 0/' bare.txt >old.txt; said old.txt mips
# What the calls return to lies elsewhere: this is another kernel.
$ sed -E 's/\[<([0-9a-f]{7}).>\]$/[<\14>]/' old.txt >shifted.txt; said shifted.txt mips | head -n 1
$ printf '%s\n' 'BUG: Kernel NULL pointer dereference on read at 0x00000000' 'Faulting instruction address: 0xc0001004' 'Oops: Kernel access of bad area, sig: 11 [#1]' 'BE PAGE_SIZE=4K PowerMac' "CPU: 0 PID: 7 Comm: cat Not tainted $version" 'NIP:  c0001004 LR: c0001030 CTR: 00000000' "REGS: c1f0dcb0 TRAP: 0300   Not tainted  ($version)" 'NIP [c0001004] 0xc0001004' 'LR [c0001030] 0xc0001030' 'Call Trace:' '[c1f0dd70] [c0001030] 0xc0001030 (unreliable)' '[c1f0dd80] [c0001064] 0xc0001064' '[c1f0dd90] [c0001098] 0xc0001098' '[c1f0dda0] [c00010c8] 0xc00010c8' '---[ end trace 0000000000000000 ]---' >p.txt; said p.txt powerpc; obit --no-rc oops p.txt | grep -E '^ *(KERNEL|TRAP):'
# s390x moves its kernels; frames have their functions' names.
$ printf '%s\n' 'Unable to handle kernel pointer dereference in virtual kernel address space' 'Failing address: 0000000000000000 TEID: 0000000000000483' 'Oops: 0004 ilc:2 [#1] SMP' "CPU: 0 PID: 7 Comm: cat Not tainted $version" 'Krnl PSW : 0704c00180000000 0000000060100006 (small_read+0x6/0x20)' '           R:0 T:1 IO:1 EX:1 Key:0 M:1 W:0 P:0 AS:3 CC:0 PM:0 RI:0 EA:3' 'Call Trace:' ' [<0000000060100006>] small_read+0x6/0x20 ' ' [<0000000060100036>] small_show+0x16/0x28 ' ' [<000000006010005e>] small_open+0x16/0x28 ' ' [<0000000060100086>] small_entry+0x16/0x28 ' '([<00000000601000ae>] start_kernel+0x16/0x28)' 'Last Breaking-Event-Address:' ' [<0000000060100006>] small_read+0x6/0x20' >s.txt; said s.txt s390x
# Another architecture's, another build's.
$ said s.txt mips | head -n 1; sed 's/6.1.9-1/6.1.9-2/' m.txt >other.txt; said other.txt mips | head -n 1
$ obit --no-rc line powerpc small_show+0x18/0x34 small_read+4; obit --no-rc -s mips -c 'dis small_read'
status: 1
stderr: ~ no disassembly of mips
small_read: exact, same release and build, 5 of 5 sizes; null
small_inlined:12 small_read:17 small_show:22 small_open:27 small_entry:32 start_kernel:37
small_read: exact, same release and build, 4 of 4 return addresses behind calls; 5 of 5 named as they stand: nothing tells of a move
small_inlined:12 small_read:17 small_show:22 small_open:27 small_entry:32 start_kernel:37
small_read: likely (4 of 4 return addresses behind calls), the text names no release; 5 of 5 named as they stand: nothing tells of a move
small_inlined:12 small_read:17 small_show:22 small_open:27 small_entry:32 start_kernel:37
~ ^null: unproven, the text names no release
small_read: exact, same release and build, 4 of 4 return addresses behind calls; 5 of 5 named as they stand: nothing tells of a move
small_inlined:12 small_read:17 small_show:22 small_open:27 small_entry:32 start_kernel:37
      KERNEL: 6.1.0-small, ppc, not tainted
        TRAP: 0x300: data storage
small_read: exact, same release and build, 5 of 5 sizes; null
small_inlined:12 small_read:17 small_show:22 small_open:27 small_entry:32 start_kernel:37
~ ^small_read: mismatch, another architecture; null
~ ^small_read: mismatch, another build of the release: #1 SMP Debian 6\.1\.9-1
small_show+0x18/0x34:
  small_show at small.c:22
small_read+4:
  small_inlined at small.c:12 [inline]
  small_read at small.c:17
