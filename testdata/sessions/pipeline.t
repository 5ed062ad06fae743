# Typed pipelines: tasks go from one command to the next, and types are checked before anything runs.
guest: any
form: vmlinux

obit> ps napper | bt
...
~ COMMAND: "napper"
...
~ COMMAND: "napper"
...
? kind("frame") | map(.pid) | unique | length == 2
# a napper is a shell that waits for its sleep
? kind("frame") | map(select(.func == "do_wait")) | length == 2
