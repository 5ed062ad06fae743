# A dump whose own symbols name no variables: what the log and VMCOREINFO tell is there, what only variables tell is
# unknown with its reason, and the exit status says that the answer is partial. Expectations are the guest's uname
# and its panic message.
guest: armhf-6.1-elf armhf-6.1-lpae
form: alone

obit> sys
status: 4
...
    NODENAME: @nodename@
     RELEASE: @release@
     VERSION: @version@
...
~ ^ +PANIC: .*sysrq triggered crash
...
? kind("system")[0] | .release == $guest.release and .version == $guest.version and .arch == $guest.arch
? kind("system")[0] | .cpus == $guest.cpus
? kind("note") | map(.reason) | index("no-symbol") != null
