# 3000 kernel threads in five ways to sleep, 600 each: a completion, a wait queue twice, msleep() and a mutex, which
# the task that started them holds and keeps (victim.c). Nobody is in a deadlock.
guest: victim-amd64-6.1-sleepers victim-amd64-6.12-sleepers
form: vmlinux

obit> waits
? kind("wait_cycle") + kind("wait_chain") | length == 0
? kind("wait_crowd") | map("\(.count) \(.type) \(.name)") == ["1200 wait_queue victim_queue [victim]", "600 completion victim_never [victim]", "600 mutex victim_first [victim]"]
? kind("wait_crowd") | map(select(.type == "mutex"))[0] | .state == "locked" and .holder_how == "owner-word"
? kind("wait") | map(select(.type == "mutex")) | length == 600 and all(.holder_comm == "killer" and (.comm | ltrimstr("sleeper/") | tonumber % 5 == 4))
? kind("wait") | map(select(.type == "completion")) | length == 600 and all(.holder == null and (.comm | ltrimstr("sleeper/") | tonumber % 5 == 0))
