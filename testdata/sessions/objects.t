# What the garden (testdata/guests/garden/life.c, sets.c) put into objects of the kernel's that are no
# containers: locks, counters, a slab, a device. The lines "KIND NAME ADDRESS - 0 = ..." are the kernel's own.
guest: garden-amd64-6.1 garden-amd64-6.12 garden-arm64-6.1
form: vmlinux alone
needs: data

# allocated objects are those that were not freed, and no others
obit> slabs garden_plot
? kind("slab_object") | map(.object) | sort == ($said.garden | lines | map(select(startswith("slab garden_plot"))) | .[0] | split(" ") | .[6:] | sort)
? kind("slab_object") | all(.state == "allocated")

# those that were freed are among the free ones
obit> slabs -f garden_plot
? kind("slab_object") as $got | ($said.garden | lines | map(select(startswith("freed garden_plot"))) | .[0] | split(" ") | .[6:]) - ($got | map(.object)) == []

# struct device begins behind a name and an id in struct platform_device
obit> dev -b platform
? kind("device") | map(select(.name == "garden.7")) | length == 1
? . as $all | $said.garden | lines | map(select(startswith("platform_device"))) | .[0] | split(" ")[2] | .[0:16] as $page | $all | kind("device") | map(select(.name == "garden.7")) | .[0].addr | startswith($page)

# a mutex: who holds it, and who waits for it in which order
$ m=$(awk '$1 == "mutex" { print $3 }' "$GUEST/testimony/garden.txt"); obit -s $VMLINUX "$VMCORE" -c "p ((struct task_struct *)(((struct mutex *)$m)->owner.counter & ~7))->comm" -c "walk list mutex_waiter.list (&((struct mutex *)$m)->wait_list) | pick task->comm" | grep -o 'gardener/[0-9]' | tr '\n' ' '
gardener/0 gardener/3 gardener/4 

# a wait queue
$ q=$(awk '$1 == "waitqueue" { print $3 }' "$GUEST/testimony/garden.txt"); obit --json -s $VMLINUX "$VMCORE" -c "waitq $q" | jq -r '.comm // empty' | sort | tr '\n' ' '
gardener/0 gardener/1 gardener/2 

# a count of references
$ k=$(awk '$1 == "kref" { print $3 " " $7 }' "$GUEST/testimony/garden.txt"); obit -s $VMLINUX "$VMCORE" -c "p (((struct kref *)${k% *})->refcount.refs.counter == ${k#* })"
~ = 1$

# a counter that each CPU holds a part of: the sum is said
$ c=$(awk '$1 == "percpu_counter" { print $3 }' "$GUEST/testimony/garden.txt"); want=$(awk '$1 == "percpu_counter" { print $7 }' "$GUEST/testimony/garden.txt"); sum=$(obit --json -s $VMLINUX "$VMCORE" -c "p ((struct percpu_counter *)$c)->count" -c "walk percpu s32 (((struct percpu_counter *)$c)->counters)" | jq -s 'map(.value) | add'); [ "$sum" = "$want" ] && echo same
same
