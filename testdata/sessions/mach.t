# The machine's layout. Expectations are the guest's own words (guest.json, /proc/cpuinfo), Debian's CONFIG_HZ of 250, and
# what crash 8 says of the same dump.
guest: all
form: vmlinux

obit> mach
...
? kind("machine_layout") | length == 1 and .[0].cpus == $guest.cpus and .[0].hz == 250
? kind("machine_layout")[0] | .memory < $guest.memory_mib * 1048576 and .memory > $guest.memory_mib * 524288
# each stack is of a CPU that ran, and lies where no other does
? kind("cpu_stack") | all(.cpu < $guest.cpus) and (map(.start) | length == (unique | length))

# bt tells which frames of a CPU lie on its stack of interrupts: that is one of these. A stack is of less than 64 KB, and
# begins where a multiple of its size is.
$ obit -s --json "$VMLINUX" "$VMCORE" -c 'bt -a' | jq -r 'select(.record == "frame" and .stack == "IRQ") | .sp[:-4]' | sort -u >sps; obit -s --json "$VMLINUX" "$VMCORE" -c mach | jq -r 'select(.record == "cpu_stack" and .stack == "IRQ") | .start[:-4]' | sort -u >stacks; comm -23 sps stacks

obit> mach -m
status: 2
...
