# Text of the dump is a word of the line that each fills in, and never a command: a program may call itself "log" or
# "x; quit". There is no answer to compare with but what the line says; the second command tells that the session went on.
guest: all
form: vmlinux alone
needs: data

obit> ps 2 | each {comm}
status: 1
stderr: ~ text of the dump, as 'kthreadd', is no command
(nothing)

# the init of the guests is called init, as no command is, so the name is asked for where one would stand
obit> ps 1 | each 'ps 1 ; {comm} 2'
status: 1
stderr: ~ text of the dump, as 'init', is no command
(nothing)

obit> ps 1 | each 'ps 2 | each {comm}'
status: 1
stderr: ~ text of the dump, as 'init', is no command
(nothing)

# a tab and a quote do not hide the place
$ printf '%s\n' "ps 1 | each 'ps 2 ;	{comm}'" "ps 1 | each '\"{comm}\" 2'" "ps 1 | each 'ps 2 | each \"{comm}\"'" | obit -s "$VMLINUX" "$VMCORE" 2>&1
status: 1
each: text of the dump, as 'init', is no command
each: text of the dump, as 'init', is no command
each: text of the dump, as 'init', is no command

# in quotes it would be a line of the inner each
obit> ps 1 | each 'ps 2 | each "p {comm}"'
status: 1
stderr: ~ has text of the dump in it
(nothing)

# a number may be anything, and the body of a command of one's own was written by a person
obit> ps 1 | each 'ps 2 | each ps {pid}'
? kind("task") | map(.comm) == ["init", "kthreadd"]

$ printf '%s\n' 'define theirs(x)' 'ps 2 | each "p $_->pid"' end "ps 1 | each 'theirs {comm}'" | obit -s "$VMLINUX" "$VMCORE" 2>&1
~ = 2$
