# Open files against the links in /proc/PID/fd of a process that keeps one of everything open.
guest: garden-amd64-6.1 garden-amd64-6.12 garden-arm64-6.1
form: vmlinux

obit> files keeper
? (kind("file") | map("\(.fd) \(.path)") | sort) == ($said.files | lines | sort)
? kind("file") | map(select(.path == "/tmp/shed/rake")) | length == 1 and .[0].type == "REG"
? kind("places") == [{"record": "places", "root": "/", "cwd": "/tmp/shed"}]

obit> ps | files -R /tmp/shed/gone
(nothing)

obit> ps | files -R "/tmp/shed/gone (deleted)"
? kind("file") | length == 1 and .[0].type == "REG" and .[0].pid > 1

# what was written to it (garden/keeper.c)
obit> files -R "/tmp/shed/gone (deleted)" keeper | pick f_pos
? kind("pick") == [{"record": "pick", "f_pos": 4}]

# a kernel thread has none
obit> files 2
? kind("file") == []

obit> files nobody
status: 1
stderr: ~ nobody
(nothing)
