# Unions. sigval holds an int or a pointer (include/uapi/asm-generic/siginfo.h), so it is a pointer's
# size.
guest: all
form: vmlinux alone
needs: data

obit> union sigval
union sigval {
~ ^ *\[0\] +int sival_int;$
~ ^ *\[0\] +void \*sival_ptr;$
}
~ ^SIZE: (8|4)$
? kind("type")[0].size == ($guest.arch | if startswith("armv7") then 4 else 8 end)

# a struct is no union
obit> union list_head
status: 1
stderr: ~ list_head
(nothing)
