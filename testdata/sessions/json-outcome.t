# What a program is told of failures and of nothing: a record each, as the manual's JSON says, beside
# the line on stderr. The commands here fail by their own fault, whatever is loaded.
guest: none

# one record for each failure, in order, with the whole line; the status is what that one alone gives
$ obit --json -c 'alias nobody; set radix 12' -c no_such_word 2>/dev/null | jq -r '"\(.record) \(.status) \(.command) \(.reason) | \(.line)"'; obit -c 'alias nobody' 2>&1 | sed 's/^alias: //' >said; obit --json -c 'alias nobody' 2>/dev/null | jq -r .text | cmp - said && echo as said
error 1 alias not-found | alias nobody; set radix 12
error 2 set usage | alias nobody; set radix 12
error 1 null not-found | no_such_word
as said

# what an input would have answered; what a shell command ended with; a line of a file
$ printf '# a comment\n! exit 3\nalias | no_such_program_at_all\nps\n' >f; obit --json -i f 2>/dev/null | jq -r '"\(.record) \(.status) \(.where) \(.command) \(.line) \(.reason)"'
error 1 f:2 null ! exit 3 io
error 1 f:3 null alias | no_such_program_at_all io
error 3 f:4 ps ps need

# no input at all
$ obit --json /nowhere/vmcore -c sys 2>err; echo $?; cat err
{"record":"error","line":null,"where":null,"command":null,"reason":"io","addr":null,"text":"'/nowhere/vmcore': No such file or directory","status":3}
3
obit: '/nowhere/vmcore': No such file or directory

# a stage that fails tells whoever reads what the line prints
$ obit --json -c 'help no_such_command | jq -r .record' 2>/dev/null; :
error

# people read it once, and a command that succeeded says nothing of the kind
$ obit -c 'alias nobody' 2>/dev/null; obit --json -c 'alias dmesg' | jq -r .record
alias

# the schema has a version, and what it said of records and fields is still so: a field that goes
# away, or changes its kind, makes it a new version, and testdata/schema.txt is made anew by this
$ schema() { obit --list-commands --json | jq -r 'if .record == "schema" then "version \(.version)" else empty end, ((.common // .emits)[] | .name as $k | .fields[] | "\($k).\(.name) \(.kind)")' | LC_ALL=C sort -u; }; schema >now; LC_ALL=C comm -13 now "$TOP/testdata/schema.txt"
(nothing)
