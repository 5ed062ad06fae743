# Every kernel: init's nc listens at port 4711 (testdata/guests/inside/init). The kernel has a local route to each address of a
# device that is up, and multicasts of IPv6 go to it; lo does not queue.
guest: all
form: vmlinux alone
needs: data

obit> net sockets
? kind("inet_socket") | any(.type == "STREAM" and .state == "LISTEN" and (.source | endswith(":4711")) and .accept == 0 and .accept_max > 0)

obit> net routes
? kind("route") | any(.table == "local" and .type == "local" and .destination == "127.0.0.1" and .device == "lo" and .scope == "host" and .protocol == "kernel")
? kind("route") | any(.family == "INET" and .table == "local" and .type == "local" and .destination == "127.0.0.0/8")
? kind("route") | any(.family == "INET6" and .type == "local" and .destination == "::1" and .device == "lo")

obit> net queues
? kind("qdisc") | any(.device == "lo" and .kind == "noqueue" and .qlen == 0 and .parent == "root")

obit> net -a
status: 0
...
