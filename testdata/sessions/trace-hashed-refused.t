# trace show --hashed where there are no hashes: the guest's command line has no_hash_pointers, so the addresses in the rows
# of its own trace files, which scripts/dev/run-trace compares with obit's, are what they are.
guest: trace-amd64-6.1 trace-amd64-6.12 trace-arm64-6.1
form: vmlinux alone
needs: data

obit> trace show --hashed
status: 1
stderr: ~ no_hash_pointers
(nothing)

# a recording alone has no memory, in which the key would be
$ python3 "$TOP/testdata/captures/trace/pointers.py" fs ffff888000001000; obit fs -c 'trace show --hashed'
status: 1
stderr: ~ the key that pointers were hashed with: .*vmcore
(nothing)

# these show none of the kernel's words, in which the hashes are
obit> trace show --hashed --raw
status: 2
stderr: ~ --raw
(nothing)

obit> trace show --hashed --syscalls
status: 2
stderr: ~ --syscalls
(nothing)
