# The last values of an order are the highest; more than there are is all of them.
guest: all
form: vmlinux alone
needs: data

obit> ps | where pid | order pid desc | last 2 | pick comm
? kind("pick") | map(.comm) == ["kthreadd", "init"]

obit> ps 1 2 | last 100 | count
? kind("count")[0].count == 2

obit> ps | last x
status: 2
stderr: ~ number
(nothing)
