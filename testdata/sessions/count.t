# As many as the guest's own ps listed in /proc/modules; two nappers.
guest: all
form: vmlinux alone
needs: data

obit> mod | count
? kind("count")[0].count == ($said.modules | lines | length)

obit> ps napper | count
2
