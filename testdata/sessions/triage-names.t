# Names of files that mean harm, of one crash and of many, in every output: a leading dash, a newline, HTML and quotes, a
# byte that is no UTF-8 with an escape sequence, a workflow command, what a URI has its own meaning for. The expectation is
# the name itself, as the shell made it, or that what reads the output finds nothing but text in it.
guest: none

# one crash by each name: every output is whole, has no control character, and commands nothing
$ printf '[    1.000000] BUG: kernel NULL pointer dereference, address: 0000000000000008\n[    1.000001] CPU: 0 PID: 7 Comm: a\n[    1.000002] RIP: 0010:f+0x1/0x10\n[    1.000003] Call Trace:\n[    1.000004]  f+0x1/0x10\n[    1.000006] Kernel panic - not syncing: Fatal exception\n' >oops.txt; mkdir d; for n in -x.txt "$(printf 'two\nl<b>"&.txt')" "$(printf 'b\377\033[31m.txt')" '::error::x' 'a%41 b?#:@c.txt' "it's \$(touch owned) \`touch owned\`"; do cp oops.txt "d/$n"; done; cd d; for n in *; do for f in sarif junit markdown github gitlab; do obit triage --$f -- "$n" >../$f; echo $? $(LC_ALL=C tr -d '\n\40-\176' <../$f | wc -c); done; jq -e . ../sarif >/dev/null && jq -e . ../gitlab >/dev/null && xmllint --noout --relaxng "$TOP/testdata/faces/junit.rng" ../junit 2>&1; grep -cv '^::[a-z]* title=[^:,]*::' ../github; grep -c '<b>' ../junit ../markdown; obit triage --html ../page.html -- "$n" >/dev/null; python3 "$TOP/testdata/faces/read_page.py" ../page.html; done | sort | uniq -c | sed 's/^ *//'; ls ../owned owned 2>/dev/null
6 ../junit validates
6 ../junit:0
6 ../markdown:0
6 0
30 0 0
6 whole
# GitLab is told which file it was, by its own name
$ for n in -x.txt "$(printf 'two\nl<b>"&.txt')" 'a%41 b?#:@c.txt'; do obit triage --gitlab -- "$n" | jq -r '.[0].location.path'; done
-x.txt
two
l<b>"&.txt
a%41 b?#:@c.txt
# the first screen has a line for what was said where, whatever the name
$ obit triage -- "$(printf 'two\nl<b>"&.txt')" | grep '^seen'; obit triage -- "$(printf 'b\377\033[31m.txt')" | grep '^seen' | cut -c 1-24
seen   two\nl<b>"&.txt 1.000000: BUG: kernel NULL pointer dereference, address: 0000000000000008
seen   b\xff\x1b[31m.txt
# many: a line for each, and as JSON the names as they are; a byte that is no UTF-8 is the character of its number
$ obit triage . | grep -c '^DEAD '; obit --json triage -j 2 . | jq -j 'select(.record == "crash") | .path, "\u0000"' | sort -z >../told; find . -type f -print0 | LC_ALL=C sed -z 's/\xff/\xc3\xbf/' | sort -z | cmp - ../told && echo the same
6
the same
$ obit --json triage -j 1 -- -x.txt "$(printf 'two\nl<b>"&.txt')" '::error::x' | jq -c 'select(.record == "crash") | .files'
["-x.txt"]
["two\nl<b>\"&.txt"]
["::error::x"]
# and they are known again by what was kept of them
$ obit triage -j 1 --resume ../kept . >/dev/null; wc -l <../kept | tr -d ' '; obit triage --resume ../kept . | tail -n 1; for i in 1 2 3; do obit --json triage --share $i/3 .; done | jq -r 'select(.record == "crash") | .path | tojson' | sort | uniq -d | wc -l | tr -d ' '
6
6 crashes of 1 bug; 6 done before
0
# a folder of such a name
$ cd ..; n=$(printf -- '-d\n<b>'); mkdir -- "$n"; cp oops.txt "./$n/a"; cp oops.txt "./$n/b"; obit triage -j 1 -- "$n" | sed -n 's/^DEAD.*  //p'; obit triage -- "$n" | tail -n 1; obit --json triage -j 1 "$(printf './-d\n<b>')" | jq -c 'select(.record == "crash").path'
-d\n<b>/a
-d\n<b>/b
2 crashes of 1 bug
"./-d\n<b>/a"
"./-d\n<b>/b"
