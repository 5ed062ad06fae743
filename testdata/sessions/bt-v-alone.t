# Without debug info nothing is known of variables, and that is said.
guest: amd64-6.1-elf amd64-6.12-elf
form: alone

obit> bt -v
...
~ ^note: variables: no debug info is loaded: give the vmlinux with debug info of this dump
? kind("variable") | length == 0
? kind("frame") | length > 5
