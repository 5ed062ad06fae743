# Numbers in every base. Answers are crash 8.0.2's, but where it is wrong: it drops what stands behind a parenthesis.
guest: amd64-6.1-elf
form: vmlinux

obit> eval 4096
hexadecimal: 1000  (4KB)
    decimal: 4096
      octal: 10000
     binary: 0000000000000000000000000000000000000000000000000001000000000000

obit> eval -b 0x81
...
   bits set: 7 0

obit> eval 10k + 5
hexadecimal: 2805
    decimal: 10245
...

obit> eval 1g
hexadecimal: 40000000  (1GB)
...

obit> eval 100 - 200
hexadecimal: ffffffffffffff9c
    decimal: 18446744073709551516  (-100)
      octal: 1777777777777777777634
...

# 2^63, and two words that are hexadecimal without 0x
obit> eval 9223372036854775808
hexadecimal: 8000000000000000  (8589934592GB)
    decimal: 9223372036854775808  (-9223372036854775808)
...

obit> eval ffff8880
? kind("number")[0].decimal == 4294936704

# 2^20 - 1 has twenty ones
obit> eval (1 << 20) - 1
hexadecimal: fffff
...
~ binary: 0{44}1{20}$

obit> eval 1000 0
status: 2
stderr: ~ expected an operator
(nothing)
