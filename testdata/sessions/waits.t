# Two kernel threads that each hold the mutex that the other wants. Their module said which thread waits for which
# mutex; that each holds the other's follows from its source (victim.c, WAY_LOCK).
guest: victim-amd64-6.1-deadlock victim-amd64-6.1-deadlock-traced victim-amd64-6.12-deadlock victim-amd64-6.12-deadlock-traced victim-arm64-6.1-deadlock victim-arm64-6.1-deadlock-traced victim-armhf-6.1-deadlock
form: vmlinux alone
needs: data

obit> waits
~ ^deadlock: [0-9]+ "victim/0" waits for mutex 0x[0-9a-f]+ (\(victim_second \[victim\]\) )?at victim_c\+0x[0-9a-f]+ \[victim\] \[ring\], held \[owner-word\] by [0-9]+ "victim/1", which waits for mutex 0x[0-9a-f]+ (\(victim_first \[victim\]\) )?at victim_c\+0x[0-9a-f]+ \[victim\] \[ring\], held \[owner-word\] by [0-9]+ "victim/0", [0-9.]+ s$
...
? kind("wait_cycle") | length == 1 and .[0].proven and .[0].count == 2
? (kind("wait_cycle")[0].waits | map("mutex \(.object | ltrimstr("0x") | ltrimstr("00000000")) waiter \(.pid)") | sort) == ($said.victim | lines | map(select(startswith("mutex "))) | sort)
? kind("wait_cycle")[0].waits | .[0].holder == .[1].pid and .[1].holder == .[0].pid
# they had waited for the second and a half that the module gave them, when the kernel was crashed at once
? kind("wait") | length == 2 and all(.waited > 500000000 and .waited < 30000000000)
? kind("wait_chain") | length == 0

# the lock by its address: one task waits for it, and the other one has it
$ at=$(awk '$1 == "mutex" { print $2; exit }' "$GUEST/testimony/victim.txt"); obit -s --json "$VMLINUX" "$VMCORE" -c "waits 0x$at" | jq -r 'select(.record == "wait") | "\(.comm) \(.holder_comm)"'
victim/0 victim/1

# a task: what it waits for, and so on round, then what it has
obit> waits victim/1
~ ^[0-9]+ "victim/1" UN, .* waits for mutex .* held by [0-9]+ "victim/0" \(UN\) \[owner-word\]$
~ ^[0-9]+ "victim/0" UN, .* waits for mutex .* held by [0-9]+ "victim/1" \(UN\) \[owner-word\]$
~ ^1 waits for mutex .* held by [0-9]+ "victim/1"

obit> waits --dot
digraph waits {
...
}

# a picture: well-formed, without scripts, and the deadlock's two tasks and two locks in it
$ obit -s "$VMLINUX" "$VMCORE" -c 'waits --svg' >waits.svg; python3 -c 'import xml.dom.minidom as m; m.parse("waits.svg")' && grep -c -i 'script\|href\|onload' waits.svg; grep -c 'class="task ring"' waits.svg; grep -c 'class="lock ring"' waits.svg; grep -o '2 tasks wait, 1 deadlock<' waits.svg
0
2
2
2 tasks wait, 1 deadlock<
