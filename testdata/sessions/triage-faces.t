# The verdict in other languages, held against tools that read them: jq, xmllint with a grammar of what readers of JUnit
# agree on, and rules of the formats (SARIF 2.1.0, GitLab's code quality, GitHub's workflow commands) as jq and grep
# can ask them. Each must say what the records say.
guest: victim-amd64-6.1-null victim-amd64-6.12-null victim-arm64-6.1-null victim-amd64-6.12-deadlock
form: vmlinux

# SARIF: enums, which a validator lets pass; every rule that is named is there; lines count from 1; paths are relative
$ obit --json triage "$VMLINUX" "$VMCORE" 2>/dev/null | jq -r 'select(.record == "verdict").verdict' >sentence; obit triage --sarif "$VMLINUX" "$VMCORE" 2>/dev/null >s.json; jq -e -n --slurpfile s s.json --rawfile said sentence '$s[0] | .version == "2.1.0" and (.runs | length == 1) and .runs[0].tool.driver.name == "obit" and (.runs[0].tool.driver.version | length > 0) and .runs[0].results[0].message.text + "\n" == $said and .runs[0].results[0].level == "error" and .runs[0].invocations[0].executionSuccessful'
true
$ jq -e '.runs[0] as $r | ($r.tool.driver.rules | map(.id)) as $ids | ($ids | unique | length) == ($ids | length) and all($r.results[]; (.level | IN("none", "note", "warning", "error")) and (.ruleId | IN($ids[])) and all(.locations // [] | .[].physicalLocation // empty; .region.startLine >= 1 and (.artifactLocation.uri | test("^[^/:]+(/[^/:]+)*$")))) and all($r.invocations[0].toolExecutionNotifications[]; (.level | IN("none", "note", "warning", "error")) and (.associatedRule.id | IN($ids[])))' s.json
true
$ jq -r '.runs[0].results[0].locations[0].logicalLocations[0].name' s.json; jq -r '.runs[0].results[].ruleId' s.json | grep -c '^verdict-'
victim_c
1

# JUnit: each check is a test, and the verdict is one
$ obit --json triage "$VMLINUX" "$VMCORE" 2>/dev/null >records; jq -r 'select(.record == "verdict").verdict' records >sentence; obit triage --junit "$VMLINUX" "$VMCORE" 2>/dev/null >j.xml; xmllint --noout --relaxng "$TOP/testdata/faces/junit.rng" j.xml 2>&1; xmllint --xpath 'string(//testcase[@name="verdict"]/failure/@message)' j.xml | cmp - sentence && echo as said
j.xml validates
as said
$ xmllint --xpath 'count(//testcase) = //testsuite/@tests and count(//failure) = //testsuite/@failures and count(//skipped) = //testsuite/@skipped' j.xml; jq -r 'select(.record == "check" and .state == "fail").name' records >failed; xmllint --xpath '//testcase[failure and @classname="obit.check"]/@name' j.xml | sed 's/ *name="//; s/"//' | grep . | cmp - failed && echo the same
true
the same

# GitLab and GitHub
$ obit --json triage "$VMLINUX" "$VMCORE" 2>/dev/null | jq -r 'select(.record == "verdict").verdict' >sentence; obit triage --gitlab "$VMLINUX" "$VMCORE" 2>/dev/null | jq -e --rawfile said sentence 'type == "array" and .[0].description + "\n" == $said and all(.[]; (.severity | IN("info", "minor", "major", "critical", "blocker")) and (.location.path | test("^[^/]")) and .location.lines.begin >= 1 and (.check_name | length > 0)) and (map(.fingerprint) | unique | length) == length'
true
$ obit triage --github "$VMLINUX" "$VMCORE" 2>/dev/null >g; grep -cvE '^::(error|warning|notice) ((file|line|title)=[^,:]*,?)+::' g; head -n 1 g | sed 's/^::error [^:]*:://' | sed 's/%25/%/g' | cmp - sentence && echo as said
0
as said

# an issue has room for 65,536 characters
$ obit --json triage "$VMLINUX" "$VMCORE" 2>/dev/null | jq -r 'select(.record == "verdict").verdict' >sentence; obit triage --markdown "$VMLINUX" "$VMCORE" 2>/dev/null >m; head -n 1 m | sed -E 's/^### (DEAD|STUCK): //; s/\\//g' | cmp - sentence && echo as said; test $(wc -c <m) -lt 65536 && echo short
as said
short

# one language at a time; as records they are lines
$ obit triage --junit --sarif "$VMCORE"; echo $?
stderr: ~ ^triage: --markdown, --junit, --sarif, --github and --gitlab exclude each other$
2
$ obit --json triage --junit "$VMCORE" 2>/dev/null | jq -r 'select(.record == "triage_line").line' | xmllint --noout - && echo valid
valid
