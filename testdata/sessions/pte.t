# An entry's words are those that the architectures' manuals have for its bits (core/arch/table_test.c).
guest: amd64-6.1-elf amd64-6.12-elf amd64-7.2-elf
form: vmlinux alone

obit> pte 8000000008811025 0
  PTE   8000000008811025  page of 4 KB at 0000000008811000 (read-only, user, accessed, no-exec)
  PTE   0000000000000000  none: nothing

# crash 8 says of this entry: PRESENT|RW|ACCESSED|DIRTY|PSE|GLOBAL|NX
obit> pte -k -l pmd 8000000007a001e3
  PMD   8000000007a001e3  huge page of 2 MB at 0000000007a00000 (writable, accessed, dirty, global, no-exec)
? kind("table_entry") | length == 1 and .[0].form == "block" and .[0].size == 2097152 and .[0].at == null and .[0].physical == "0x7a00000"

# __swp_entry(3, 0x1234), and PROT_NONE of page frame 0x12345 (arch/x86/include/asm/pgtable_64.h)
obit> pte 1fffffffffdb9600 000fffffedcba100
? kind("table_entry") | map(.meaning | gsub("^special: .*"; "swapped out: page 4660 of swap area 3")) == ["swapped out: page 4660 of swap area 3", "PROT_NONE: in RAM at 0x12345000"]

obit> pte
status: 2
(nothing)

obit> pte -l p3d 1
status: 2
stderr: ~ no level 'p3d'
(nothing)

obit> pte zork
status: 1
(nothing)
