# A dump whose BTF has lost names: one letter of each is another, in the string table that the dead
# kernel had in memory. The dump is an ELF file, so its bytes are where they were. What an answer
# misses is told, once, and the exit status is 4, whether the command fails in it or shows "-".
# Members that a sound kernel may lack are missed by nobody: the guest itself exits with 0.
guest: amd64-6.1-elf
form: vmlinux

# damage NAME...: the copy "lost"
$ damage() { s=; for n; do s="$s;s/\\x00$n\\x00/\\x00Q${n#?}\\x00/g"; done; LC_ALL=C sed "${s#;}" "$VMCORE" >lost; }; damage nr_slabs total_objects; obit lost -c 'kmem -s' >out; echo $?; awk '$3 $4 $5 == "---" { n++ } END { print (n > 50) }' out; obit "$VMCORE" -c 'kmem -s' >out; echo $?; grep -c -- ' - ' out; damage comm total_vm __state; obit lost -c ps >out; echo $?; grep -c ' [?][?] ' out >n; test $(cat n) -gt 50 && echo yes; damage utime; obit lost -c 'ps -t 1' >/dev/null; echo $?; damage xtime_sec; obit lost --json -c sys | jq -r 'select(.record == "note") | .reason'; rm -f lost
stderr: warning: 'struct kmem_cache_node' has no member 'nr_slabs'
stderr: warning: 'struct task_struct' has no member 'comm'
stderr: warning: 'struct mm_struct' has no member 'total_vm'
stderr: warning: 'struct task_struct' has no member '__state'
stderr: warning: 'struct task_struct' has no member 'utime'
4
1
0
0
4
yes
4
no-member
