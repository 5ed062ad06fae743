# Unions. sigval holds an int or a pointer (include/uapi/asm-generic/siginfo.h), so it is a pointer's
# size.
# what is said here of sizes and addresses is said of 64 bits
guest: amd64-6.1-elf amd64-6.1-kdump amd64-6.1-kdump-plain amd64-6.1-novmci amd64-6.12-elf amd64-6.12-kdumpz arm64-6.1-elf
form: vmlinux alone
needs: data

obit> union sigval
union sigval {
~ ^ *\[0\] +int sival_int;$
~ ^ *\[0\] +void \*sival_ptr;$
}
SIZE: 8

# a struct is no union
obit> union list_head
status: 1
stderr: ~ list_head
(nothing)
