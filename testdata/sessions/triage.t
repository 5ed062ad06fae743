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
