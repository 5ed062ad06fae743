# The garden's own work queue: the first of four works never ends, the others wait for it; a delayed
# one is on no queue yet. The module said where each is.
guest: garden-amd64-6.1 garden-amd64-6.12 garden-arm64-6.1
form: vmlinux

obit> wq
? (kind("work") | map(select(.queue == "garden_wq") | "\(.work) \(.state)")) == ($said.garden | lines | map(select(startswith("work garden_works")) | split(" ") | "\(.[2]) \(.[8])"))
? kind("work") | map(select(.queue == "garden_wq")) | all(.function | startswith("garden_work_done")) and (map(select(.pid)) | length) == 1

# those that sysfs knows; cpumask and its kin, power and uevent are no queues there
obit> wq -l
? kind("workqueue") | map(select(.name == "garden_wq")) | length == 1 and .[0].running == 1 and .[0].pending == 0 and .[0].inactive == 3
? . as $out | $said.workqueues | split("[ \n]+"; null) | map(select(. != "" and (startswith("cpumask") | not) and . != "power" and . != "uevent")) | all(. as $n | $out | kind("workqueue") | any(.name == $n))

