# Where a task's pages are. How many are in RAM is what the kernel counted itself: rss_stat of the mm,
# with what the task had not handed in yet (mm_types_task.h; until 6.2); the page of zeroes is not
# counted. A page of the program that is mapped and was never written is the page cache's.
guest: all
form: vmlinux alone
needs: data

$ rss=$(obit -s "$VMLINUX" "$VMCORE" -c 'ps 1 | pick mm.rss_stat.count[0].counter + mm.rss_stat.count[1].counter + mm.rss_stat.count[3].counter + rss_stat.count[0] + rss_stat.count[1] + rss_stat.count[3]' 2>/dev/null | tail -1); rss=${rss:-$(obit -s --json "$VMLINUX" "$VMCORE" -c 'ps 1' | jq .rss/4096)}; obit -s --json "$VMLINUX" "$VMCORE" -c 'vtop empty_zero_page' -c 'vm -p 1' | jq -s --argjson rss $rss '(map(select(.record == "translation"))[0].physical) as $zero | map(select(.state == "mapped" and .physical != $zero) | .pages) | add == $rss'
true

# what the areas have is all shown, and each page once
obit> vm -p 1
? (kind("user_page") | map(.size) | add) == (kind("mm")[0].total)
? kind("user_page") | map(select(.state == "file")) | all(.file != null and .offset != null and .physical == null)
? kind("user_page") | map(select(.state == "mapped")) | all(.physical != null)

# the first page of the program, by an address in its first area
$ a=$(obit -s --json "$VMLINUX" "$VMCORE" -c 'vm 1' | jq -rs 'map(select(.record == "vma"))[0].start'); obit -s --json "$VMLINUX" "$VMCORE" -c "vm -P $a 1" -c "vtop -c 1 $a" | jq -s 'map(select(.record == "user_page"))[0].physical == map(select(.record == "translation"))[0].physical and (map(select(.record == "vma")) | length) == 1'
true

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
