# scripts/triage over a folder of texts: two pastes of one report (the second quoted), another bug, a text without any.
# Which text is of which bug is known from what was copied.
guest: none

$ mkdir -p in/sub; cp "$TOP/testdata/captures/oops/x86-null.txt" "$TOP/testdata/captures/oops/kasan-uaf.txt" in; sed 's/^/> /' in/x86-null.txt >in/sub/mail; echo hello >in/none
$ "$TOP/scripts/triage" in >table 2>said; echo $?; sed 's/  *o1:.*//' table; cat said
$ "$TOP/scripts/triage" -j in 2>/dev/null | jq -c '[.count, .title, .damaged, .files]'
# Against a list of known bugs: only what is new, and a status that stops a pipeline.
$ "$TOP/scripts/triage" -j in 2>/dev/null | jq -r .signature | head -n 1 >known; "$TOP/scripts/triage" -k known in 2>/dev/null | grep -c 'KASAN: slab-use-after-free'; "$TOP/scripts/triage" -k known in >/dev/null 2>&1; echo $?
$ "$TOP/scripts/triage" -j in 2>/dev/null | jq -r .signature >known; "$TOP/scripts/triage" -k known in >/dev/null 2>&1; echo $?
$ "$TOP/scripts/triage" in/none >/dev/null 2>&1; echo $?; "$TOP/scripts/triage" missing >/dev/null 2>&1; echo $?; "$TOP/scripts/triage" >/dev/null 2>&1; echo $?
0
 COUNT  TITLE                                                         SIGNATURE, FIRST
     2  BUG: unable to handle kernel NULL pointer dereference in widget_flush
     1  KASAN: slab-use-after-free Read in widget_poll
4 texts, 3 reports of 2 bugs
[2,"BUG: unable to handle kernel NULL pointer dereference in widget_flush",0,["in/sub/mail","in/x86-null.txt"]]
[1,"KASAN: slab-use-after-free Read in widget_poll",0,["in/kasan-uaf.txt"]]
1
1
0
5
3
2

# Names are only names, whatever find, the shell, awk or a terminal would make of them: none is taken for an option
# or an operator, nothing is deleted, "files" are paths that open (all together hold what was copied), whether the
# folder was given or each name; and the table has one line for the one bug, without what acts on a terminal.
$ mkdir odd && cd odd && n=0; for name in -delete -rf -- - -files0-from '!' '(' ')' , -exec ';' '{}' "it's" '"q"' 'back\slash\t' '$HOME' '*' ' ' '|x' "$(printf 'two\nlines')" "$(printf 'a\ttab')" "$(printf 'red\033[31m\177\302\233')" 'é'; do cp "$TOP/testdata/captures/oops/x86-null.txt" "./$name"; n=$((n + 1)); done; echo $n
$ opened() { "$TOP/scripts/triage" -j -- "$@" 2>/dev/null >../json; jq -j '.files[] + "\u0000"' ../json | xargs -0 md5sum -z -- | tr '\0' '\n' | grep -c "^$(md5sum <"$TOP/testdata/captures/oops/x86-null.txt" | cut -c 1-32)"; jq -c '[.count, (.files | unique | length)]' ../json; }
$ opened .; opened "$PWD"; opened *; find . -type f -print0 | tr -cd '\0' | wc -c
$ "$TOP/scripts/triage" red* 2>&1 | LC_ALL=C tr -d ' -~\n' | wc -c; "$TOP/scripts/triage" -- -rf two* 2>/dev/null | wc -l; "$TOP/scripts/triage" t* red* 2>/dev/null | sed -n 's/.*[0-9a-f]  *//p'
23
23
[23,23]
23
[23,23]
23
[23,23]
23
0
2
red\x1b[31m\x7f\x9b
