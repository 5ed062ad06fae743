# A leak of tasks: testdata/guests/victim/victim.c begins 3000 threads, four of five of which sleep in state D, and taints.
guest: victim-amd64-6.1-sleepers

$ a=$GUEST/../amd64-6.1-elf; obit --json diff -t -m -s "$a/vmcore" "$VMCORE" >out; jq -c 'select(.comm == "sleeper/*") | [.a, .b, .difference, .a_blocked, .b_blocked, .state]' out; jq -r 'select(.name == "victim") | .state, .a_taints, .b_taints' out
[0,3000,3000,0,2400,"only in B"]
only in B
null
(OE)

# Each has a task_struct and a stack: what grew by thousands of objects is first, and by bytes nothing stands before a larger one.
$ a=$GUEST/../amd64-6.1-elf; obit --json diff -s "$a/vmcore" "$VMCORE" >out; jq -s 'map(select(.record == "diff_slab" and .bytes != null)) | (map(.bytes) | . == (sort | reverse)) and (map(select(.name == "task_struct"))[0].difference > 2900) and (.[0:3] | any(.name == "task_struct"))' out
true
