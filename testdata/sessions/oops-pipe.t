# Texts from a pipe, without an operand too, and what is no text. How gzip begins is RFC 1952's.
guest: any
form: vmlinux

# a pipe needs no operand, beside a vmlinux neither; - alone is a text
$ printf '[    1.234567] Kernel panic - not syncing: VFS: Unable to mount root fs on unknown-block(0,0)\n' | obit oops | head -n 1
~ ^kernel panic: VFS: Unable to mount root fs

$ printf '[    1.234567] Kernel panic - not syncing: VFS: Unable to mount root fs on unknown-block(0,0)\n' | obit oops "$VMLINUX" --all | head -n 1
~ ^kernel panic: VFS: Unable to mount root fs

$ printf '[    1.234567] Kernel panic - not syncing: VFS: Unable to mount root fs on unknown-block(0,0)\n' | obit - | head -n 1
~ ^kernel panic: VFS: Unable to mount root fs

# without one the operand was forgotten
$ obit oops </dev/null
status: 2
stderr: ~ a file is wanted

# packed logs are not taken for texts without a report
$ echo 'Oops: 0000 [#1]' | gzip | obit oops
status: 1
stderr: ~ '-' is compressed with gzip: unpack it first

$ mkdir logs && echo 'nothing' >logs/a && echo 'Oops: 0000 [#1]' | gzip >logs/b.gz && obit oops logs; s=$?; rm -r logs; exit $s
status: 1
logs/a: no report of the kernel's
stderr: ~ 'logs/b.gz' is compressed with gzip
