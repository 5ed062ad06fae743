# Where a task's pages are. Two countings of the kernel's must agree: what it counted as resident, in
# the mm and (until 6.2; SPLIT_RSS_COUNTING of mm_types.h) in each thread, and what its page tables
# map, but for the page of zeroes, which is not counted (vm_normal_page()). A page of the program that
# is mapped and was never written is the page cache's.
guest: all
form: vmlinux alone
needs: data

$ obit -s --json "$VMLINUX" "$VMCORE" -c 'vtop empty_zero_page' -c 'ps init napper | vm -p' | jq -s -c '(map(select(.record == "translation"))[0].physical) as $zero | map(select(.record == "user_page" and .state == "mapped" and .physical != $zero)) as $pages | map(select(.record == "task_head")) | (length > 1) and all(.rss > 100000 and (.pid as $p | .rss == ($pages | map(select(.pid == $p).size) | add)))'
true

# what the areas have is all shown, and each page once
obit> vm -p 1
? (kind("user_page") | map(.size) | add) == (kind("mm")[0].total)
? kind("user_page") | map(select(.state == "file")) | all(.file != null and .offset != null and .physical == null)
? kind("user_page") | map(select(.state == "mapped")) | all(.physical != null)

# the first page of the program, by an address in its first area
$ a=$(obit -s --json "$VMLINUX" "$VMCORE" -c 'vm 1' | jq -rs 'map(select(.record == "vma"))[0].start'); obit -s --json "$VMLINUX" "$VMCORE" -c "vm -P $a 1" -c "vtop -c 1 $a" | jq -s 'map(select(.record == "user_page"))[0].physical == map(select(.record == "translation"))[0].physical and (map(select(.record == "vma")) | length) == 1'
true

obit> vm -P 0 1
status: 1
stderr: ~ no area '0'
...

obit> vm -P 10 1
status: 1
stderr: ~ no area '10'
...

obit> vm -p -m 1
status: 2
(nothing)

# a kernel thread
obit> vm -p 2
? kind("user_page") == []
