# Sorted values are in order, whatever the kernel's order was.
guest: all
form: vmlinux alone
needs: data

obit> ps | order pid desc | pick pid
? (kind("pick") | map(.pid)) as $p | $p == ($p | sort | reverse) and ($p | length) > 40

obit> ps | order comm | pick comm
? (kind("pick") | map(.comm)) as $p | $p == ($p | sort)

obit> ps | order fs
status: 0
...

obit> ps | order thread
status: 2
stderr: ~ neither a number nor text
(nothing)
