# The machine and its end. Expectations are the guest's uname, its clock, and its panic message.
guest: all
form: vmlinux alone
needs: data

obit> sys
...
    NODENAME: @nodename@
...
     RELEASE: @release@
     VERSION: @version@
...
~ ^ +PANIC: .*sysrq triggered crash
...
? length >= 1 and (kind("system") | length) == 1
? kind("system")[0] | .release == $guest.release and .version == $guest.version
? kind("system")[0] | .arch == $guest.arch and .cpus == $guest.cpus
? kind("system")[0].panic | test("sysrq triggered crash")
# 40 hexadecimal digits: an SHA-1 build-id, as ld makes it
? kind("system")[0].build_id | test("^[0-9a-f]{40}$")
# seconds between the guest's look at its clock and its death, not minutes
? kind("system")[0].uptime_ns / 1e9 | . > ($said.clock | lines[1] | split(" ")[0] | tonumber) - 1
