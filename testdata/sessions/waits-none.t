# Guests that were crashed while nothing hung: no deadlock is made out of what sleeps there.
guest: all
form: vmlinux alone
needs: data

obit> waits -a
? kind("wait_cycle") | map(select(.proven)) | length == (if $guest.case == "deadlock" then 1 else 0 end)
? kind("wait") | all(.flaw == null)
# who waits is asleep, or its CPU waits for others, as for those that a panic kept from answering
? kind("wait") | all((.state != "RU") == (.cpu == null))

obit> waits 0x10
status: 0
~ ^nobody waits for what is at 0x10$
