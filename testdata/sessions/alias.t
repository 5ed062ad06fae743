# Aliases: the built-in ones of crash, and one's own.
guest: any

obit> alias
...
~ dmesg
...

obit> alias dead bt
obit> dead
...
~ sysrq_handle_crash
...

obit> alias top 'ps 1'
obit> top
...
~ init$

obit> lsmod | grep -c bridge
1
