# 3000 kernel threads in five ways to sleep, 600 each: a completion, a wait queue twice, msleep() and a mutex, which
# the task that started them holds and keeps (victim.c). Nobody is in a deadlock. All were woken once, and who is first
# at a mutex then asks to be the next (kernel/locking/mutex.c).
guest: victim-amd64-6.1-sleepers victim-amd64-6.12-sleepers
form: vmlinux

obit> waits
? kind("wait_cycle") + kind("wait_chain") | length == 0
? kind("wait_crowd") | map("\(.count) \(.type) \(.name)") | sort == ["1200 wait_queue victim_queue [victim]", "600 completion victim_never [victim]", "600 mutex victim_first [victim]"]
? kind("wait_crowd") | map(select(.type == "mutex"))[0] | .state == "locked, the first waiter is to be next" and .holder_how == "owner-word"
? kind("wait") | map(select(.type == "mutex")) | length == 600 and all(.holder_comm == "killer" and (.comm | ltrimstr("sleeper/") | tonumber % 5 == 4))
? kind("wait") | map(select(.type == "completion")) | length == 600 and all(.holder == null and (.comm | ltrimstr("sleeper/") | tonumber % 5 == 0))

# 600 behind the mutex have one stack, which is shown once
obit> waits --stacks
? kind("stack_group") | map(select(.count == 600 and (.frames | any(startswith("__mutex_lock"))))) | length == 1
? kind("stack_group") | map(.count) | add == 2400

obit> waits
...
~ ^600 wait for mutex .*; pids [0-9 ]+ and 592 more$
...

# five of each 600 are drawn; of the queue's 1200 those that sleep in D, as without -a
$ obit -s "$VMLINUX" "$VMCORE" -c 'waits --svg' | grep '<title>' | grep -o 'and [0-9]* more<' | sort -u
and 595 more<
