# Many crashes: what belongs to one is put together, each is looked at in a process of its own, and
# what one of them does spoils nothing. The guests' consoles are texts whose maker knows the cause
# (victim.c: a NULL pointer, a BUG, each in victim_c).
guest: victim-amd64-6.1-null
form: vmlinux

# A folder with a dump and its text is one crash; a text, and one that is packed, is each one; a dump that is cut, an
# empty one, and a text without a report are told as what they are; what is none of these is left alone.
$ mkdir -p d/one d/cut d/none d/texts; cp "$VMCORE" d/one/vmcore; cp "$GUEST/console.txt" d/one/dmesg.txt; head -c 5000 "$VMCORE" >d/cut/vmcore; : >d/none/vmcore; cp "$GUEST/console.txt" d/texts/a.txt; gzip -c "$GUEST/console.txt" >d/texts/b.gz; echo 'Dear kernel, all is well here.' >d/texts/well.txt; head -c 5000 /dev/urandom >d/texts/noise.bin; cp /bin/true d/texts/true; obit --json triage -j 2 d >out; echo $?; jq -r 'select(.record == "crash") | "\(.path) \(.status) \(.outcome) \(.kind) \(.function) \(.files | length)"' out | sort; jq -r 'select(.record == "crash_group") | "\(.count) \(.outcome) \(.function) \(.first)"' out; jq -c 'select(.record == "crashes") | [.crashes, .groups, .new, .without, .failed]' out
4
d/cut/vmcore 3 null null null 1
d/none/vmcore 3 null null null 1
d/one/vmcore 0 dead null-deref victim_c 2
d/texts/a.txt 0 dead null-deref victim_c 1
d/texts/b.gz 0 dead null-deref victim_c 1
d/texts/well.txt 5 null null null 1
3 dead victim_c d/one/vmcore
[3,1,null,1,2]

# for people: a line for each, a table of bugs, a count; one alone in a folder is a screen, as if it were named
$ mkdir -p t/x; cp "$GUEST/console.txt" t/x/a.txt; obit triage t | head -n 1 | cut -c 1-14; cp t/x/a.txt t/x/b.txt; obit triage t | cut -c 1-72; obit triage t/x/a.txt t/x/b.txt | tail -n 1
DEAD   victim[
DEAD   BUG: unable to handle kernel NULL pointer dereference in victim_c
DEAD   BUG: unable to handle kernel NULL pointer dereference in victim_c
...
2 crashes of 1 bug
2 crashes of 1 bug

# gates: what --known names is not new; 1 says that something is, or that --fail-on has its kind
$ mkdir t; cp "$GUEST/console.txt" t/a.txt; echo 'function:victim_c  see the wiki' >f; echo 'title:BUG: unable to * in victim_*	wiki' >g; echo '# nothing' >none; for k in f g none; do obit --json triage --known $k t >out; echo $? "$(jq -c 'select(.record == "crash") | .known' out) $(jq -c 'select(.record == "crash_group") | .new' out)"; done; obit triage --fail-on oom,null-deref t >out; echo $?; obit triage --fail-on oom t >out; echo $?; jq -rn '"x"' >bad; obit triage --known bad t; echo $?; obit triage --fail-on dead,deadlock,omm t; echo $?
0 "see the wiki" false
0 "wiki" false
1 null true
1
0
2
2
stderr: ~ --fail-on.* 'omm' is no kind of crash

# the signature as --known has it is the one that obit prints
$ cp "$GUEST/console.txt" a.txt; obit --json triage a.txt | jq -r 'select(.record == "verdict") | .signature' >known; obit triage --known known a.txt | tail -n 1; obit triage --known known a.txt >out; echo $?
1 crash of 1 bug, 0 new
0

# an older signature knows every crash of its kind and function, and none of another; "-" knows nothing
$ cp "$GUEST/console.txt" a.txt; obit --json triage a.txt | jq -r 'select(.record == "verdict") | .signature' | awk -F: '{ print "o1:" $2 ":" $3 ":0123456789ab  wiki" >"a"; print "o1:" $2 ":other:0123456789ab  wiki" >"b"; print "o1:" $2 ":-:0123456789ab  wiki" >"c"; print "o1:oom:" $3 ":0123456789ab  wiki" >"d" }'; for k in a b c d; do obit --json triage --known $k a.txt | jq -r 'select(.record == "crash") | .known'; done
wiki
null
null
null

# a limit that a dump does not fit into is told of it; a sanitizer's memory knows no such limit
$ mkdir t; ln -s "$VMCORE" t/vmcore; case $(command -v obit) in */san/obit) echo 3 true ;; *) obit --json triage --megabytes 1 t | jq -r 'select(.record == "crash") | "\(.status) \(.error | test("ended (by signal|with status)"))"' ;; esac
3 true

# a limit that a text may not fit into: each is told, all are tried, and the program goes on
$ mkdir t; cp "$GUEST/console.txt" t/a.txt; cp t/a.txt t/b.txt; obit --json triage --megabytes 1 t >out; echo $?; jq -r 'select(.record == "crash") | "\(.status) \(.error == null or (.error | test("ended (by signal|with status)")))"' out | sort -u | grep -c . ; jq -r 'select(.record == "crash") | .path' out | sort
~ ^[03]$
1
t/a.txt
t/b.txt

# what was done is not done again; a line that was cut when its writer was killed is
$ mkdir t; for i in 1 2 3 4 5; do cp "$GUEST/console.txt" t/$i.txt; done; obit triage -j 1 --resume r t >out; wc -l <r | tr -d ' '; head -c -200 r >half; cp half r; obit triage --resume r t | tail -n 1; jq -r .path r | sort | tr '\n' ' '; obit triage --resume r t >out; grep -c '^DEAD' out; tail -n 1 out
5
5 crashes of 1 bug; 4 done before
t/1.txt t/2.txt t/3.txt t/4.txt t/5.txt 0
5 crashes of 1 bug; 5 done before

# shares have all of them, none twice, and end with 0 whatever the crashes were
$ mkdir t; for i in 1 2 3 4 5 6 7 8 9; do cp "$GUEST/console.txt" t/$i.txt; done; : >t/vmcore; for i in 1 2 3; do obit --json triage --known /dev/null --share $i/3 t >share.$i; echo $?; done; cat share.* | jq -r 'select(.record == "crash") | .path' | sort | tr '\n' ' '
0
0
0
t/1.txt t/2.txt t/3.txt t/4.txt t/5.txt t/6.txt t/7.txt t/8.txt t/9.txt t/vmcore 

# names that are no plain names; a name's escapes come back as they were
$ mkdir t; cp "$GUEST/console.txt" "t/-j"; cp t/-j "t/$(printf 'a\nb')"; cp t/-j "t/$(printf '\033[31m')"; cd t; obit triage . | cut -c 76-; obit triage -- -j "$(printf 'a\nb')" | tail -n 1; obit --json triage . | jq -r 'select(.record == "crash") | .path' | wc -l | tr -d ' '; obit triage --resume ../r . >../out; obit triage --resume ../r . | tail -n 1
...
2 crashes of 1 bug
4
3 crashes of 1 bug; 3 done before

# wrong usage, and nothing there
$ mkdir empty; obit triage --share 4/3 empty; echo $?; obit triage -j 0 empty; echo $?; obit triage --resume; echo $?; obit triage empty >out; echo $?; echo 'all is well here' >well; obit triage well >out; echo $?; obit triage -j 2 well >out; echo $?; obit triage -j 2 /nowhere >out; echo $?
2
2
2
3
5
5
3

# the kernel is found by its build-id: in a folder of such files, and as distributions lay them out
$ mkdir -p t nothing links; cp "$VMCORE" t/vmcore; id=$(readelf -n "$VMLINUX" 2>/dev/null | sed -n 's/.*Build ID: *//p' | head -n 1); mkdir -p "links/.build-id/$(echo "$id" | cut -c 1-2)"; ln -s "$VMLINUX" "links/.build-id/$(echo "$id" | cut -c 1-2)/$(echo "$id" | cut -c 3-).debug"; obit --debug links t/vmcore -c sys 2>&1 | grep -c "KERNEL: links"; obit --debug "$(dirname "$VMLINUX")" t/vmcore -c sys 2>&1 | grep -c "KERNEL: $VMLINUX"; obit --debug nothing t/vmcore -c sys 2>&1 | grep -c '^warning: --debug: no vmlinux of build-id'; obit --json triage -j 1 --debug links t | jq -r 'select(.record == "crash") | .place' | cut -d : -f 1
1
1
1
~ victim|null

# Links to files are followed, each file is looked at once whatever it is called besides, and by the name that is no link; what is
# passed over is named. Of what lies in a folder neither a FIFO nor a device is waited for, and what cannot be read is told.
$ mkdir -p d/sub e; cp "$GUEST/console.txt" d/sub/a.txt; ln -s sub/a.txt d/0-link; ln d/sub/a.txt d/sub/hard.txt; cp "$GUEST/console.txt" e/out.txt; ln -s ../e/out.txt d/1-out; ln -s ../e/out.txt d/2-out; ln -s ../e d/elsewhere; ln -s . d/sub/up; ln -s sub d/within; ln -s nowhere d/broken; ln -s round d/round; mkfifo d/fifo; ln -s /dev/zero d/zero; ln -s fifo d/link-fifo; timeout 20 obit triage -j 2 d 2>err | sed -n 's/^DEAD .* //p' | sort; sed "s/.*'d/d/" err; timeout 20 obit --json triage -j 2 d | jq -r 'select(.record == "crash") | .path' | sort; timeout 20 obit --json triage -j 1 d | jq -r 'select(.record == "note") | .reason' | sort -u
d/1-out
d/sub/a.txt
d/fifo' is a FIFO
d/broken' is a link to nothing
d/elsewhere' is a link to a folder elsewhere
d/link-fifo' is a link to what is no file
~ ^d/round' is a link: 
d/zero' is a link to what is no file
d/1-out
d/sub/a.txt
unsupported

# A link to a dump beside its text is that dump; names with newlines and leading dashes; a FIFO that is an operand is refused.
$ mkdir d; ln -s "$VMCORE" d/vmcore; cp "$GUEST/console.txt" "d/-c"; timeout 20 obit --json triage -j 1 d | jq -r 'select(.record == "crash") | "\(.path) \(.files | length) \(.kind)"'; mkdir n; cp "$GUEST/console.txt" "n/$(printf -- '--html\nx')"; cd n; ln -s -- "$(printf -- '--html\nx')" -j; timeout 20 obit --json triage -j 1 . | jq -c 'select(.record == "crash") | [.path, .kind]'; mkfifo f; timeout 20 obit triage f; echo $?
d/vmcore 2 null-deref
["./--html\nx","null-deref"]
3

# What a hook left beside a dump is no evidence, in a folder; named, it is read as any text is.
$ mkdir d; cp "$VMCORE" d/vmcore; cp "$GUEST/console.txt" d/obit-triage.txt; obit --json triage -j 1 d | jq -c 'select(.record == "crash") | .files'; obit --json triage d/obit-triage.txt | jq -r 'select(.record == "verdict") | .kind'
["d/vmcore"]
null-deref

# What cannot be read is told as that: a dump, a text, a folder. Root reads all, so nobody asks.
$ ask=; d=$(mktemp -d); trap 'rm -rf "$d"' EXIT; mkdir -p "$d/t/closed" "$d/t/open"; cp "$(command -v obit)" "$d"; cp "$GUEST/console.txt" "$d/t/open/a.txt"; cp "$VMCORE" "$d/t/open/vmcore"; cp "$GUEST/console.txt" "$d/t/b.txt"; chmod -R a+rX "$d"; chmod 0 "$d/t/closed" "$d/t/open/vmcore" "$d/t/b.txt"; [ ! -r "$d/t/b.txt" ] || ask='setpriv --reuid=65534 --regid=65534 --clear-groups'; cd "$d"; if $ask ./obit --version >/dev/null 2>&1; then $ask ./obit --json triage -j 1 t >out; echo $?; jq -r 'select(.record == "crash") | "\(.path) \(.status) \(.kind) \(.error)"' out | sort; else printf '%s\n' 4 "t/b.txt 3 null 't/b.txt': Permission denied" "t/closed 3 null 't/closed': Permission denied" 't/open/a.txt 0 null-deref null' "t/open/vmcore 3 null 't/open/vmcore': Permission denied"; fi
4
t/b.txt 3 null 't/b.txt': Permission denied
t/closed 3 null 't/closed': Permission denied
t/open/a.txt 0 null-deref null
t/open/vmcore 3 null 't/open/vmcore': Permission denied
