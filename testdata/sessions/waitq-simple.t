# Who waits in simple wait queues and for completions, as each said before it did; nobody woke any of them after that.
guest: jam-locks-amd64-6.1 jam-locks-amd64-6.12 jam-locks-arm64-6.1
form: vmlinux
needs: data

$ said() { awk -v kind="$1" -v at="$2" '$3 == "wants" || $4 == "wants" { for (i = 3; i <= 5; i++) if ($i == "wants" && $(i + 1) == kind && (!at || $(i + 2) "" == at)) print at ? $(i - 2) : $(i + 2) }' "$GUEST/testimony/jam.txt" | sort -u; }; for at in $(said completion | grep -v '^0x0$'); do obit -s --json "$VMLINUX" "$VMCORE" -c "waitq -c $at" | jq -r 'select(.record == "task").pid' | sort -u >obit; said completion $at | diff - obit && wc -l <obit; done | sort -n | tail -1 | awk '$1 > 5 { print "many" }'; for at in $(said swait_queue | grep -v '^0x0$'); do obit -s --json "$VMLINUX" "$VMCORE" -c "waitq -s $at" | jq -r 'select(.record == "task").pid' | sort -u >obit; said swait_queue $at | diff - obit && cat obit | wc -l; done
many
1

# an expression says by its type what it is, a bare address does not: of a completion it takes the type, or -c
$ at=$(awk '$3 == "wants" && $4 == "completion" && $5 != "0x0" { print $5; exit }' "$GUEST/testimony/jam.txt"); for at in "-c $at" "((struct completion *)$at)" "((struct completion *)$at)->wait" "&((struct completion *)$at)->wait"; do obit -s "$VMLINUX" "$VMCORE" -c "waitq $at | pick comm" | cksum; done | sort -u | wc -l
1

# Who begins RCU's grace periods waits in a simple queue for one to be wanted, or to end: it alone, and certainly where it
# sleeps. Where it runs, it may just have been woken (kernel/rcu/tree.c, rcu_gp_kthread()).
$ obit -s --json "$VMLINUX" "$VMCORE" -c ps | jq -r 'select(.comm == "rcu_preempt" or .comm == "rcu_sched") | "\(.letter) \(.comm)"' >it; obit -s --json "$VMLINUX" "$VMCORE" -c 'waitq rcu_state.gp_wq' | jq -r 'select(.record == "task").comm' >waits; read -r letter name <it; echo "$letter" | grep -c '^[IR]$'; grep -cvx "$name" waits; [ "$letter" = R ] || [ "$(grep -cx "$name" waits)" = 1 ] && echo told
1
0
told

obit> waitq nonsense_nowhere
status: 1
stderr: ~ nonsense_nowhere
(nothing)
