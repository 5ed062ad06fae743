# A dump of which nobody traced anything has the buffers all the same, and nothing in them.
guest: amd64-6.1-elf

obit> trace show one two
status: 2
stderr: ~ 'one' is too much: it takes no operands

obit> trace show -p x
status: 2
stderr: ~ 'x' is no pid

obit> trace show -C 1-0
status: 2
stderr: ~ '1-0' is no list of CPUs

obit> trace show --since -5furlongs
status: 2
stderr: ~ no time as -50ms

obit> trace show -i nowhere
status: 1
stderr: ~ no buffer of an instance 'nowhere'
