# One gardener holds the gate and waits on a queue for ever, two more wait on that queue, two others at the gate; a work
# waits for the harvest. The module said who stands where.
guest: garden-amd64-6.1 garden-amd64-6.12 garden-arm64-6.1
form: vmlinux

obit> waits
? kind("wait_cycle") | length == 0
? kind("wait_crowd") | map(.count) == [3, 2, 1]
? kind("wait") | map(select(.type == "mutex")) | length == 2 and all(.holder_comm == "gardener/0" and .holder_how == "owner-word") and (map(.comm) | sort == ["gardener/3", "gardener/4"])
? kind("wait") | map(select(.type == "wait_queue") | .comm) | sort == ["gardener/0", "gardener/1", "gardener/2"]
? kind("wait") | map(select(.type == "completion")) | length == 1 and .[0].holder == null
# who stands at the gate waits for a task that waits itself
? kind("wait_chain") | length == 1 and .[0].count == 2 and .[0].proven and .[0].waits[1].comm == "gardener/0"
? ($said.garden | lines | map(select(startswith("mutex ") or startswith("waitqueue ")) | split(" ")[2]) | sort) as $at | kind("wait_crowd") | map(select(.type != "completion") | .object) | sort == $at
