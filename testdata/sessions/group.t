# One task is stopped; every module is live (a module that was loading would not be in the list of
# a guest at rest).
guest: all
form: vmlinux alone
needs: data

obit> ps | group state
? kind("group") | map(select(.state == "T")) == [{"record": "group", "state": "T", "count": 1}]

obit> mod | group state
? kind("group") == [{"record": "group", "state": "MODULE_STATE_LIVE", "count": ($said.modules | lines | length)}]

obit> ps | group comm == "napper"
? kind("group") | map(select(.["comm == \"napper\""] == 1))[0].count == 2
