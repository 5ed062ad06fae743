# The database of crashes: what triage and saved records bring into it, what is listed, and what is no such database.
# Python's sqlite3 is the other tool that reads it. The texts are captures/oops, whose maker says what each is of.
guest: none

# Eight deaths of widget_flush on machines of eight kinds, a BUG on two, and one text that tells of no crash. A second time
# nothing is counted twice, nor is what is packed, or lies elsewhere, another crash.
$ cases=$TOP/testdata/captures/oops; mkdir d; for t in arm-null arm64-null i386-fault loongarch-null mips-null ppc64-null riscv-null x86-null x86-bug arm64-bug; do cp "$cases/$t.txt" d; done; echo 'all is well' >d/well.txt; obit triage -j 2 --db db d >out; echo $?; tail -n 1 out; mkdir e; gzip -c d/x86-null.txt >e/packed.gz; cp d/x86-bug.txt e/copy; obit triage -j 2 --db db d >out; obit triage -j 1 --db db e >out; obit --json crashes --db db | jq -r '"\(.count) \(.kind) \(.function)"' | sort -n; python3 -c 'import sqlite3; c = sqlite3.connect("db"); print(c.execute("SELECT count(*), count(DISTINCT identity) FROM crash").fetchall(), c.execute("SELECT sum(crashes) FROM bug").fetchall(), c.execute("PRAGMA integrity_check").fetchall(), c.execute("PRAGMA application_id").fetchall(), c.execute("PRAGMA user_version").fetchall())'
0
10 crashes of 2 bugs; 1 without a crash
2 bug widget_attach
8 null-deref widget_flush
[(10, 10)] [(10,)] [('ok',)] [(1868720500,)] [(1,)]

# What the manual says of the tables is what is there.
$ : >none; obit crashes --db db --load none >out; cat out; python3 -c 'import sqlite3; c = sqlite3.connect("db"); [print(t, *sorted(r[1] for r in c.execute("PRAGMA table_info(%s)" % t))) for t in ("crash", "site", "bug")]' >is; cat is; obit crashes --help >page; for w in $(sed 's/^[a-z]* //' is); do grep -qw "$w" page || echo "$w is not in the manual"; done
0 crashes added, 0 met again
crash added_ns arch build_id files id identity known nodename path place release seen_by seen_ns site status sure title verdict
site bug function id kind outcome signature trail whole
bug bug crashes first_ns function kind known last_ns releases title

# Shares of a batch system write files of records; all of them together are what one run would have brought, in any order,
# and twice. What they were told by --known stays when a later run knows nothing.
$ cases=$TOP/testdata/captures/oops; mkdir d; cp "$cases"/*-null.txt "$cases"/x86-bug.txt "$cases"/slab.txt d; echo 'function:widget_free  ticket 9' >known; for i in 1 2 3; do obit triage -j 1 --known known --share $i/3 --resume r.$i d >out; done; obit triage --db one d >out; obit crashes --db many --load r.3 r.1; obit crashes --db many --load r.1 r.2 r.3; for db in one many; do obit --json crashes --db $db | jq -c '[.count, .kind, .function, (.signatures | sort)]' | sort >is.$db; done; cmp is.one is.many && echo same; obit triage --db many d >out; obit --json crashes --db many | jq -r 'select(.known) | .known'
~ ^[0-9]+ crashes? added, 0 met again$
~ ^[0-9]+ crashes? added, [0-9]+ met again$
same
ticket 9

# Two releases, by globs: one bug is new, one is in both, one is gone. A date: what had not been seen before it.
$ text=$TOP/testdata/captures/oops/x86-null.txt; old() { sed "s/6\.1\.55/$1/; s/widget_flush/widget_$2/"; }; mkdir d; old 6.1.7 one <"$text" >d/a; old 6.1.8 both <"$text" >d/b; old 6.12.1 both <"$text" >d/c; old 6.12.2 two <"$text" >d/d; TZ=UTC; export TZ; touch -d 2026-01-01 d/a; touch -d 2026-02-01 d/b; touch -d '2026-03-01 12:00' d/c d/d; obit triage -j 1 --db db d >out; obit --json crashes --db db --release '6.12.*' --against '6.1.*' | jq -r '"\(.change) \(.function) \(.against) \(.count) \(.releases | join(","))"'; echo; for since in 2026-01-02 2026-02-01 '2026-03-01 11:59' 2026-03-01T12:00:01; do obit --json crashes --db db --since "$since" | jq -r '.function // .record' | sort; echo; done; obit --json crashes --db db --release 6.1.7 | jq -r '"\(.function) \(.first_ns / 1e9 | todate)"'; obit crashes --db db | cut -c 1-48; obit --json crashes --db db --bug 2 | jq -r '"\(.path) \(.seen_by) \(.release)"'
new widget_two 0 1 6.12.2
both widget_both 1 1 6.1.8,6.12.1
gone widget_one 1 0 6.1.7
\
widget_both
widget_two
\
widget_both
widget_two
\
widget_two
\
none
\
widget_one 2026-01-01T00:00:00Z
~ ^BUG  CRASHES  FIRST             LAST *$
  2        2  2026-02-01 00:00  2026-03-01 12:00
  3        1  2026-03-01 12:00  2026-03-01 12:00
  1        1  2026-01-01 00:00  2026-01-01 00:00
d/c file 6.12.1
d/b file 6.1.8

# Names and texts that mean something to SQL, a terminal or a shell are shown, and do nothing.
$ mkdir d; for n in "a'; DROP TABLE crash; --" "$(printf 'x\033[31m\ny')" '%s%n'; do sed "s/widget_flush/widget_$(echo "$n" | cksum | cut -d ' ' -f 1)/" "$TOP/testdata/captures/oops/x86-null.txt" >"d/$n"; done; obit triage --db ":memory:" d >out; ls -d :*; python3 -c 'import sqlite3; print(sorted(r[0] for r in sqlite3.connect("./:memory:").execute("SELECT path FROM crash")))'; for b in 1 2 3; do obit crashes --db :memory: --bug $b | grep -c "$(printf '\033')"; done; obit --json crashes --db :memory: --release "' OR 1=1 --" | jq -r .record
:memory:
['d/%s%n', "d/a'; DROP TABLE crash; --", 'd/x\x1b[31m\ny']
0
0
0
none

# What is no database of crashes: not there, a text, a folder, a device, another program's, a newer obit's, none's.
$ cp "$TOP/testdata/captures/oops/x86-null.txt" a.txt; cp a.txt b.txt; : >empty; python3 -c 'import sqlite3; c = sqlite3.connect("places"); c.execute("CREATE TABLE moz (id)"); c.commit()'; obit triage --db newer a.txt b.txt >out; python3 -c 'import sqlite3; c = sqlite3.connect("newer"); c.execute("PRAGMA user_version = 2"); c.commit()'; for f in nowhere a.txt . /dev/null places newer empty; do obit crashes --db "$f" 2>&1; echo $?; done; for f in b.txt . /dev/null places newer; do obit triage --db "$f" a.txt 2>&1; echo $?; done; cmp a.txt b.txt; obit --json crashes --db b.txt 2>err | jq -r '"\(.record) \(.status)"'
crashes: 'nowhere': No such file or directory
3
crashes: 'a.txt' is no database
3
crashes: '.' is no regular file
3
crashes: '/dev/null' is no regular file
3
crashes: 'places' is a database of another program's
3
crashes: 'newer' was made by a newer obit: its tables are of version 2, and this one knows 1
3
crashes: 'empty' holds no crashes: nothing was loaded
3
obit: 'b.txt' is no database
2
obit: '.' is no regular file
2
obit: '/dev/null' is no regular file
2
obit: 'places' is a database of another program's
2
obit: 'newer' was made by a newer obit: its tables are of version 2, and this one knows 1
2
error 3

# Lines that were cut off when their writer was killed, that are none of obit's, that are no crash; a file of another kind, and
# one that is not there: what is good is added, and it is said what was not.
$ cp "$TOP/testdata/captures/oops/x86-null.txt" a.txt; cp "$TOP/testdata/captures/oops/x86-bug.txt" b.txt; obit --json triage --resume r a.txt b.txt >out; head -c -100 r >cut; (head -n 1 r; echo garbage; echo '{"a":1}'; tail -n 1 r) >torn; obit crashes --db c --load cut; echo $?; obit crashes --db t --load torn; echo $?; obit crashes --db all --load out; echo $?; obit crashes --db x --load /bin/true nowhere r 2>&1; echo $?
note: 'cut', line 2 is cut off: it is left out
1 crash added, 0 met again; 1 bad line
4
note: 'torn', line 2 and others are no record of obit's: left out
2 crashes added, 0 met again; 2 bad lines
4
2 crashes added, 0 met again
0
~ ^crashes: '/bin/true' holds no records of obit's$
crashes: 'nowhere': No such file or directory
~ ^2 crashes added, 0 met again; [0-9]+ bad lines?$
1

# A disk that is full: it is said, the status is that of a failure, also of a share, whose system then runs it again, and what
# was there before stays, as does what came before the disk was full (triage writes as often as a clock says): each crash counts
# once. A file that may not grow stands for the disk.
$ mkdir d; for i in $(seq 300); do sed "s/widget_flush/widget_f$i/" "$TOP/testdata/captures/oops/x86-null.txt" >d/$i; done; cp d/1 one.txt; obit triage --db db one.txt >out; trap '' XFSZ; (ulimit -f 96; obit triage --db db --share 1/1 d >/dev/null 2>err); echo $?; sed "s/obit: 'db': .*/obit: 'db': WHY/" err; obit triage --resume r d >out; (ulimit -f 96; obit crashes --db db --load r 2>err); echo $?; sed "s/crashes: 'db': .*/crashes: 'db': WHY/" err; obit --json crashes --db db | jq -r .count | sort | uniq | head -n 3; obit crashes --db db --load r | awk '{ print $1 + $4 }'
1
obit: 'db': WHY
1
crashes: 'db': WHY
1
300

# Two that load at once wait for each other, and so does a run of triage; who waits for one that never ends says so
# (unit tests have that).
$ mkdir d; for i in $(seq 60); do sed "s/widget_flush/widget_f$i/" "$TOP/testdata/captures/oops/x86-null.txt" >d/$i; done; obit triage -j 1 --resume r d >out; obit crashes --db db --load r >one & obit crashes --db db --load r >two & obit triage -j 1 --db db d >three & python3 -c 'import sqlite3, time; c = sqlite3.connect("db", timeout=20); c.execute("BEGIN EXCLUSIVE"); time.sleep(1); c.rollback()' 2>/dev/null; wait; cat one two | awk '{ n += $1 } END { print (n <= 60) }'; obit --json crashes --db db | jq -s -c '[length, (map(.count) | add)]'
1
[60,60]

# Wrong usage
$ obit crashes; echo $?; obit crashes --db x --load; echo $?; obit crashes --db x y; echo $?; obit crashes --db x --against 6.1; echo $?; for s in yesterday 2026-02-30 2026-13-01 2026-01-01x 7 7y ''; do obit crashes --db x --since "$s" 2>/dev/null; echo $?; done | sort -u; obit triage --db; echo $?; obit triage --db= x; echo $?; ls
2
2
2
2
2
2
2
