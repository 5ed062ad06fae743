# What the words of the command may be; what it plays is compared with the guest's own trace file
# by scripts/dev/run-trace.
guest: amd64-6.1-elf

obit> trace replay --speed fast
status: 2
stderr: ~ 'fast' is no speed

obit> trace replay -i nowhere
status: 1
stderr: ~ no buffer of an instance 'nowhere'
