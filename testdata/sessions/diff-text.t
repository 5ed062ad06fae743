# Two texts: captures/oops says what each is of. A text has no memory, which is no difference.
guest: none

$ cd "$TOP/testdata/captures/oops" && obit --json diff x86-null.txt x86-bug.txt >"$OLDPWD/out"; echo $?; cd "$OLDPWD"; jq -r 'select(.record == "diff_text" and (.name == "kind" or .name == "function" or .name == "module")) | "\(.name) \(.state) \(.a) \(.b)"' out; jq -r 'select(.record == "diff_part") | "\(.part) \(.a) \(.b)"' out
0
kind differs null-deref bug
function differs widget_flush widget_attach
module differs widget null
verdict whole whole
machine part part
modules whole whole
tasks none none
slab caches none none
memory none none
variables none none

# The modules that a report names, of which one is gone in the other.
$ text=$TOP/testdata/captures/oops/arm64-null.txt; grep -m 1 'Modules linked in' "$text" >list; sed '/Modules linked in/s/$/ gadget(O)/' "$text" >with; cmp -s "$text" with; echo $?; obit --json diff -m "$text" with | jq -r 'select(.record == "diff_module") | "\(.name) \(.state) \(.a_taints) \(.b_taints)"'
1
gadget only in B null (O)

# A file called diff is given as ./diff.
$ cp "$TOP/testdata/captures/oops/x86-null.txt" diff; obit ./diff | grep -c widget_flush | awk '{ print ($1 > 0) }'; obit diff 2>err; echo $?; head -1 err
1
2
diff: two dumps or texts are wanted, and maybe a vmlinux
