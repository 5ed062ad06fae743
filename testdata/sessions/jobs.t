# Whoever works on it, and however many do, the answer is the same, byte by byte: what is asked of one process is what two,
# three and as many as there are CPUs must answer.
guest: all
form: vmlinux

# Words of every size and text; until there are enough; ranges that begin and end anywhere.
$ for j in 1 2 3 all; do [ $j = all ] && j= || j="-j $j"; for o in '' --json; do obit $j $o -s "$VMLINUX" "$VMCORE" -c 'search -n 50 init_task' -c 'search -p -w -m ffff dead0000' -c 'search -p -h -n 100 abcd' -c 'search -p -c panic Linux -n 70' -c 'search -p -s 0x1003 -l 0x2345678 -c kernel' -c 'search -s init_task -e init_task+5000000 -c e -n 9' 2>&1; done >"out$j"; done; cmp out-j\ 1 out-j\ 2 && cmp out-j\ 1 out-j\ 3 && cmp out-j\ 1 out && grep -c '"record":"search"' out
6

# Of each task, lines and tables, in which the columns are those of all; of some tasks, none of which is the first; wrong usage.
$ for j in 1 2 3 all; do [ $j = all ] && j= || j="-j $j"; for o in '' --json; do for c in bt 'bt -l' 'bt -R schedule' files vm sig 'bt -R none_is_called_so' 'bt -Z' ps; do obit $j $o -s "$VMLINUX" "$VMCORE" -c "foreach $c" 2>&1; echo $?; done; done >"out$j"; done; cmp out-j\ 1 out-j\ 2 && cmp out-j\ 1 out-j\ 3 && cmp out-j\ 1 out && grep -c '"record":"backtrace"' out | awk '{ print ($1 > 100) }'
1

# Stacks, which who asked puts together.
$ for j in 1 2 3 all; do [ $j = all ] && j= || j="-j $j"; for o in '' --json; do obit $j $o -s "$VMLINUX" "$VMCORE" -c stacks -c 'stacks -l -t IN' -c 'stacks -c kthread' 2>&1; done >"out$j"; done; cmp out-j\ 1 out-j\ 2 && cmp out-j\ 1 out-j\ 3 && cmp out-j\ 1 out && grep -c '"record":"stack_group"' out | awk '{ print ($1 > 20) }'
1

# Pages of ring buffers, out of memory and out of a file, which other commands read afterwards.
$ head -c 20000000 "$VMCORE" >part; for j in 1 2 3 all; do [ $j = all ] && j= || j="-j $j"; for o in '' --json; do obit $j $o -s "$VMLINUX" "$VMCORE" -c 'trace carve -l --min 1' -c 'trace show -i carved | head -100' -c 'trace carve -l --min 2 part' 2>&1; done >"out$j"; done; cmp out-j\ 1 out-j\ 2 && cmp out-j\ 1 out-j\ 3 && cmp out-j\ 1 out && grep -c '"record":"trace_carve"' out
2

# Rows of a table.
$ for j in 1 2 3 all; do [ $j = all ] && j= || j="-j $j"; for o in '' --json; do obit $j $o -s "$VMLINUX" "$VMCORE" -c 'kmem -s' -c 'kmem -p' 2>&1; done >"out$j"; done; cmp out-j\ 1 out-j\ 2 && cmp out-j\ 1 out-j\ 3 && cmp out-j\ 1 out && grep -c '"record":"slab_cache"' out | awk '{ print ($1 > 20) }'
1

# Texts of a folder and texts one by one, with and without reports; one that cannot be read among them.
$ mkdir d; cp "$TOP"/testdata/captures/oops/*.txt d; cp "$GUEST/console.txt" d/b; for i in 1 2 3 4 5 6 7 8 9; do echo "well $i" >"d/$i"; echo "well $i" >"d/zz$i"; done; printf '\037\213damaged' >d/h; for j in 1 2 3 all; do [ $j = all ] && j= || j="-j $j"; for o in '' --json --all; do obit $j oops $o d 2>&1; echo $?; obit $j oops $o d/* nowhere 2>&1; echo $?; obit $j oops $o d/zz* 2>&1; echo $?; done >"out$j"; done; cmp out-j\ 1 out-j\ 2 && cmp out-j\ 1 out-j\ 3 && cmp out-j\ 1 out && grep -c '"crash":true' out | awk '{ print ($1 > 60) }'; grep '^[0-9]$' out | tr -d '\n'
1
115115115

obit> set jobs 2
obit> search -p -n 1 -c Linux
obit> set -v
...
~ ^jobs +2 
...

obit> set jobs 0
status: 2
stderr: ~ 'jobs' is all, or 1 to 1024
(nothing)

$ obit -j 0 "$VMCORE" -c sys 2>&1; echo $?; obit -j 2>&1; echo $?; obit -j2 -s --json "$VMCORE" -c 'set -v' | jq -r 'select(.name == "jobs").value'
obit: '-j' needs a number from 1 to 1024, not '0'
2
obit: nothing follows '-j'
2
2
