# A command for each of many tasks. Which tasks there are is what ps says; where they are what bt
# says of one.
guest: all
form: vmlinux
needs: data

obit> foreach bt -s; ps
? (kind("backtrace") | map(.task) | sort) == (kind("task") | map(.task) | sort)

obit> foreach user set; ps -u
? (kind("context") | map(.pid)) == (kind("task") | map(.pid))

# crash's word for programs' processes: no kernel thread is one, though each leads its own group
obit> foreach gleader ps; ps -G
? (kind("task") | map(select(.kernel | not)) | group_by(.pid) | length > 4 and all(length == 2))
? kind("task") | map(select(.kernel)) | group_by(.task) | all(length == 1)

obit> foreach kernel ID ps; ps -k
? (kind("task") | length) > 10 and (kind("task") | all(.kernel))
? kind("task") | group_by(.pid) | all(length == 2 or .[0].state != "ID")

obit> foreach active bt
? kind("backtrace") | length == $guest.cpus and all(.active)

obit> foreach 1 2 bt
? kind("backtrace") | map(.pid) == [1, 2]

obit> foreach 'crash.*' set
~ ^ +PID: [0-9]+$
...
? kind("context") | map(.comm) == ["crasher"]

# the task becomes the current one, and is not afterwards
obit> foreach 1 set; set
? kind("context") | map(.comm) == ["init", "crasher"]

obit> foreach 1 2 sym init_task
? kind("task_head") | map(.pid) == [1, 2]
? kind("symbol") | length == 2

obit> foreach
status: 2
stderr: ~ which command
(nothing)

obit> foreach nosuchtask bt
status: 1
stderr: ~ nosuchtask
(nothing)

obit> foreach foreach bt
status: 2
stderr: ~ does not run itself
(nothing)

obit> foreach 1 bt --nosuch
status: 2
stderr: ~ nosuch
(nothing)

obit> foreach init_task.parent ps | tail -n 1
~ ^>? +0 +0 +0 +[0-9a-f]+ +RU .*\[?swapper(/0)?\]?$

# gleader: in crash the leaders of programs alone.
obit> foreach gleader ps
? kind("task") | length > 2 and all((.kernel | not) and .pid == .tgid) and any(.pid == 1)

# crash's commands of foreach, each once
obit> foreach 1 bt -s ; foreach 1 vm -m ; foreach 1 task -R pid ; foreach 1 files ; foreach 1 net -s ; foreach 1 set ; foreach 1 ps -p ; foreach 1 sig ; foreach 1 vtop -k init_task
...
~ schedule\+[0-9]+ at
...
~ TOTAL_VM: 
...
