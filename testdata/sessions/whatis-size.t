# Which types something can be. Sizes are pahole's words for the same BTF (it knows no typedefs); who has which member is
# told by the kernel's sources. Without a dump there are no modules, which have types of their own. crash 8.0.2 finds the
# same types, but those that have the member in a nameless union.
guest: all
form: vmlinux

$ pahole -F btf -s "$VMLINUX" 2>/dev/null >sizes || { echo same; exit; }; awk '$2 == 192 { print $1 }' sizes | LC_ALL=C sort -u >want; obit -s --json "$VMLINUX" -c 'whatis -r 192' | jq -r 'select(.record == "type_hit") | .type | select(test("^(struct|union) ")) | sub(".* "; "")' | LC_ALL=C sort -u >found; diff want found && test -s want && echo same
same

# a range, both of its ends with it, each row of its own size, the smallest first
$ pahole -F btf -s "$VMLINUX" 2>/dev/null >sizes || { echo same; exit; }; awk '$2 >= 4096 && $2 <= 8192 { print $2, $1 }' sizes | LC_ALL=C sort -u >want; obit -s --json "$VMLINUX" -c 'whatis -r 0x1000-8192' | jq -r 'select(.record == "type_hit") | select(.type | test("^(struct|union) ")) | "\(.size) \(.type | sub(".* "; ""))"' >shown; LC_ALL=C sort -u shown >found; cut -d ' ' -f 1 shown | sort -nc && diff want found && test -s want && echo same
same

# include/linux/mm_types.h: an area points to the memory that it is of, and so does a task; sched.h has it twice there
obit> whatis -m mm_struct
? kind("type_hit") | any(.type == "struct vm_area_struct" and (.members | index("vm_mm")))
? kind("type_hit") | any(.type == "struct task_struct" and (.members | index("mm")) and (.members | index("active_mm")))

# include/linux/mutex.h within include/linux/tty.h, by a tag and by a name with a star; of an array (struct rt_prio_array
# within struct rt_rq has a list for each priority) and of a typedef
obit> whatis -m "struct mutex"
? kind("type_hit") | any(.type == "struct tty_struct" and (.members | index("termios_rwsem") | not) and (.members | index("atomic_write_lock")))

obit> whatis -m "mut*x"
? kind("type_hit") | any(.type == "struct tty_struct" and (.members | index("atomic_write_lock")))

obit> whatis -m list_head
? kind("type_hit") | any(.type == "struct rt_rq" and (.members | index("active.queue")))

obit> whatis -m pid_t
? kind("type_hit") | any(.type == "struct task_struct" and (.members | index("pid")) and (.members | index("tgid")))

# both: of those that are as large as the area's struct is said to be
$ n=$(obit -s "$VMLINUX" "$VMCORE" -c 'p sizeof(struct vm_area_struct)' | sed 's/.* = //'); obit -s --json "$VMLINUX" "$VMCORE" -c "whatis -r $n -m mm_struct" | jq -s --argjson n "$n" 'any(.[]; .type == "struct vm_area_struct") and all(.[]; .record != "type_hit" or .size == $n)'
true

obit> whatis -r 192k
status: 2
stderr: ~ is no size and no range
(nothing)

obit> whatis -r 5-4
status: 2
stderr: ~ is no size and no range
(nothing)

obit> whatis -m no_such_type
status: 1
stderr: ~ no such type is known
(nothing)

obit> whatis -r 192 pid_t
status: 2
stderr: ~ no operand
(nothing)
