# Words and text in memory, against where symbols and text are known to be.
guest: all
form: vmlinux

# The banner is in the kernel's image, and begins as /proc/version does.
obit> search -c "Linux version "
...
~ ^[0-9a-f]+: Linux version [0-9]+\.[0-9].*  linux_banner$
...
~ ^[0-9]+ found in [0-9.]+ (MB|KB|GB)

# The head of the modules' list points to the first, whose link points back.
$ a=$(obit -s --json "$VMLINUX" "$VMCORE" -c 'sym modules' | jq -r 'select(.addr != null).addr' | head -1); obit -s --json "$VMLINUX" "$VMCORE" -c "search $a" | jq -s 'map(select(.record == "hit")) | length >= 2'
true

obit> search -s init_task -l 8192 -n 1 0
~ ^[0-9a-f]+: (00000000)?00000000  init_task
~ ^1 found in

obit> search
status: 2
stderr: ~ values are wanted
(nothing)

obit> search -w 123456789
status: 2
stderr: ~ longer than 32 bits
(nothing)
