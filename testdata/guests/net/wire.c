/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What busybox cannot do to the network of a guest: pairs of devices, neighbours in a state, a
 * queue that lets nothing through, and sockets that stay in every state. It also says what the
 * kernel says of queues, by rtnetlink. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_link.h>
#include <linux/neighbour.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <linux/veth.h>
#include <net/if.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define DIE(what)                                                      \
	do {                                                           \
		printf("obit:failed %s: %s\n", what, strerror(errno)); \
		exit(1);                                               \
	} while (0)

struct request {
	struct nlmsghdr head;
	char body[512];
};

static void *request_put(struct request *r, const void *data, size_t n)
{
	char *at = (char *)r + NLMSG_ALIGN(r->head.nlmsg_len);

	if (n && data)
		memcpy(at, data, n);
	r->head.nlmsg_len = NLMSG_ALIGN(r->head.nlmsg_len) + n;
	return at;
}

static struct rtattr *attribute(struct request *r, unsigned short type, const void *data, size_t n)
{
	struct rtattr a = { .rta_type = type, .rta_len = (unsigned short)RTA_LENGTH(n) };
	struct rtattr *ret = request_put(r, &a, sizeof(a));

	if (n)
		request_put(r, data, n);
	return ret;
}

static void attribute_end(struct request *r, struct rtattr *a)
{
	a->rta_len = (unsigned short)((char *)r + NLMSG_ALIGN(r->head.nlmsg_len) - (char *)a);
}

static void ask(struct request *r, void (*fn)(struct nlmsghdr *h))
{
	int s = socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);
	static char buf[1 << 16];

	if (s < 0 || send(s, r, r->head.nlmsg_len, 0) < 0)
		DIE("rtnetlink");
	for (;;) {
		ssize_t n = recv(s, buf, sizeof(buf), 0);

		if (n <= 0)
			DIE("recv");
		for (struct nlmsghdr *h = (void *)buf; NLMSG_OK(h, (size_t)n);
		     h = NLMSG_NEXT(h, n)) {
			if (h->nlmsg_type == NLMSG_ERROR)
				errno = -((struct nlmsgerr *)NLMSG_DATA(h))->error;
			if (h->nlmsg_type == NLMSG_ERROR && errno)
				DIE("rtnetlink");
			if (h->nlmsg_type == NLMSG_DONE || h->nlmsg_type == NLMSG_ERROR) {
				close(s);
				return;
			}
			fn(h);
		}
	}
}

static struct request request_of(unsigned short type, unsigned short flags)
{
	return (struct request){ .head = { .nlmsg_len = NLMSG_LENGTH(0),
					   .nlmsg_type = type,
					   .nlmsg_flags =
						   (unsigned short)(NLM_F_REQUEST | flags) } };
}

static void pair(const char *one, const char *other)
{
	struct request r = request_of(RTM_NEWLINK, NLM_F_CREATE | NLM_F_EXCL | NLM_F_ACK);
	struct ifinfomsg link = { .ifi_family = AF_UNSPEC };
	struct rtattr *info, *data, *peer;

	request_put(&r, &link, sizeof(link));
	attribute(&r, IFLA_IFNAME, one, strlen(one) + 1);
	info = attribute(&r, IFLA_LINKINFO, NULL, 0);
	attribute(&r, IFLA_INFO_KIND, "veth", 5);
	data = attribute(&r, IFLA_INFO_DATA, NULL, 0);
	peer = attribute(&r, VETH_INFO_PEER, &link, sizeof(link));
	attribute(&r, IFLA_IFNAME, other, strlen(other) + 1);
	attribute_end(&r, peer);
	attribute_end(&r, data);
	attribute_end(&r, info);
	ask(&r, NULL);
}

static void neighbour(const char *address, const char *hardware, const char *device,
		      const char *state)
{
	struct request r = request_of(RTM_NEWNEIGH, NLM_F_CREATE | NLM_F_REPLACE | NLM_F_ACK);
	struct ndmsg n = { .ndm_ifindex = (int)if_nametoindex(device) };
	unsigned char mac[6], bytes[16];

	n.ndm_family = strchr(address, ':') ? AF_INET6 : AF_INET;
	n.ndm_state = !strcmp(state, "permanent") ? NUD_PERMANENT
		      : !strcmp(state, "noarp")   ? NUD_NOARP
						  : NUD_STALE;
	inet_pton(n.ndm_family, address, bytes);
	sscanf(hardware, "%hhx:%hhx:%hhx:%hhx:%hhx:%hhx", mac, mac + 1, mac + 2, mac + 3, mac + 4,
	       mac + 5);
	request_put(&r, &n, sizeof(n));
	attribute(&r, NDA_DST, bytes, n.ndm_family == AF_INET ? 4 : 16);
	attribute(&r, NDA_LLADDR, mac, 6);
	ask(&r, NULL);
}

static void plug(const char *device)
{
	struct request r = request_of(RTM_NEWQDISC, NLM_F_CREATE | NLM_F_REPLACE | NLM_F_ACK);
	struct tcmsg t = { .tcm_ifindex = (int)if_nametoindex(device),
			   .tcm_parent = TC_H_ROOT,
			   .tcm_handle = 0x770000 };

	request_put(&r, &t, sizeof(t));
	attribute(&r, TCA_KIND, "plug", 5);
	ask(&r, NULL);
}

/* "device kind handle parent bytes packets drops overlimits backlog qlen" */
static void qdisc_tell(struct nlmsghdr *h)
{
	struct tcmsg *t = NLMSG_DATA(h);
	int n = (int)(h->nlmsg_len - NLMSG_LENGTH(sizeof(*t)));
	char device[IF_NAMESIZE] = "?";
	const char *kind = "?";
	struct tc_stats s = { 0 };

	for (struct rtattr *a = (void *)(t + 1); RTA_OK(a, n); a = RTA_NEXT(a, n)) {
		if (a->rta_type == TCA_KIND)
			kind = RTA_DATA(a);
		/* its last member may be missing, and padding be there */
		if (a->rta_type == TCA_STATS)
			memcpy(&s, RTA_DATA(a),
			       RTA_PAYLOAD(a) < sizeof(s) ? RTA_PAYLOAD(a) : sizeof(s));
	}
	printf("%s %s %x: %x:%x %llu %u %u %u %u %u\n",
	       if_indextoname((unsigned)t->tcm_ifindex, device), kind, t->tcm_handle >> 16,
	       t->tcm_parent >> 16, t->tcm_parent & 0xffff, (unsigned long long)s.bytes, s.packets,
	       s.drops, s.overlimits, s.backlog, s.qlen);
}

static void qdiscs(void)
{
	struct request r = request_of(RTM_GETQDISC, NLM_F_DUMP);
	struct tcmsg t = { .tcm_family = AF_UNSPEC };

	request_put(&r, &t, sizeof(t));
	ask(&r, qdisc_tell);
}

static struct sockaddr_storage place(const char *address, int port, socklen_t *n)
{
	struct sockaddr_storage ret = { 0 };
	struct sockaddr_in *four = (void *)&ret;
	struct sockaddr_in6 *six = (void *)&ret;

	if (strchr(address, ':')) {
		*six = (struct sockaddr_in6){ .sin6_family = AF_INET6,
					      .sin6_port = htons((uint16_t)port) };
		inet_pton(AF_INET6, address, &six->sin6_addr);
		*n = sizeof(*six);
	} else {
		*four = (struct sockaddr_in){ .sin_family = AF_INET,
					      .sin_port = htons((uint16_t)port) };
		inet_pton(AF_INET, address, &four->sin_addr);
		*n = sizeof(*four);
	}
	return ret;
}

static int bound(int type, const char *address, int port)
{
	socklen_t n;
	struct sockaddr_storage a = place(address, port, &n);
	int s = socket(a.ss_family, type, 0), one = 1;

	setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (s < 0 || bind(s, (void *)&a, n))
		DIE(address);
	return s;
}

static int listener(const char *address, int port, int backlog)
{
	int s = bound(SOCK_STREAM, address, port);

	if (listen(s, backlog))
		DIE("listen");
	return s;
}

static void reach(int s, const char *address, int port)
{
	socklen_t n;
	struct sockaddr_storage a = place(address, port, &n);

	if (connect(s, (void *)&a, n) && errno != EINPROGRESS)
		DIE(address);
}

static int caller(const char *address, int port)
{
	socklen_t n;
	int s = socket(place(address, port, &n).ss_family, SOCK_STREAM, 0);

	reach(s, address, port);
	return s;
}

static int taken(int listening)
{
	int s = accept(listening, NULL, NULL);

	if (s < 0)
		DIE("accept");
	return s;
}

static void stay(void)
{
	printf("ready\n");
	fflush(stdout);
	for (;;)
		pause();
}

static void write_some(int s, size_t n)
{
	static char bytes[4096];

	if (write(s, bytes, n) != (ssize_t)n)
		DIE("write");
}

static void peers(void)
{
	int l = listener("127.0.0.1", 5001, 5), c = caller("127.0.0.1", 5001), s = taken(l);

	write_some(c, 1000); /* that the other end does not read */
	write_some(s, 77);
	/* two that nobody accepts */
	listener("127.0.0.1", 5002, 3);
	caller("127.0.0.1", 5002);
	caller("127.0.0.1", 5002);
	/* TIME_WAIT: the caller closes first */
	l = listener("127.0.0.1", 5003, 5);
	c = caller("127.0.0.1", 5003);
	s = taken(l);
	close(c);
	usleep(200000);
	close(s);
	/* FIN_WAIT2 of nobody, and CLOSE_WAIT */
	l = listener("127.0.0.1", 5004, 5);
	c = caller("127.0.0.1", 5004);
	s = taken(l);
	close(c);
	/* FIN_WAIT1 of nobody: what it wrote, and its end, do not fit into the other's buffer */
	l = listener("127.0.0.1", 5005, 5);
	c = caller("127.0.0.1", 5005);
	s = taken(l);
	fcntl(c, F_SETFL, O_NONBLOCK);
	while (write(c, (char[4096]){ 0 }, 4096) > 0)
		;
	close(c);
	/* IPv6 */
	l = listener("::", 5006, 9);
	c = caller("::1", 5006);
	s = taken(l);
	write_some(c, 33);
	/* a packet that nobody reads; one that is connected, and IPv6 */
	s = bound(SOCK_DGRAM, "127.0.0.1", 5007);
	c = socket(AF_INET, SOCK_DGRAM, 0);
	reach(c, "127.0.0.1", 5007);
	write_some(c, 500);
	bound(SOCK_DGRAM, "::1", 5008);
	/* SYN_SENT: a neighbour that is none */
	c = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
	reach(c, "10.9.0.7", 5009);
	/* for the caller of the other namespace */
	listener("10.9.0.1", 5010, 4);
	stay();
}

/* In the other namespace: a connection that is there, and one to which the answer gets lost, so
 * SYN_RECV there. */
static void other_caller(void)
{
	int s;

	sleep(2);
	caller("10.9.0.1", 5010);
	s = bound(SOCK_STREAM, "10.9.0.3", 0);
	fcntl(s, F_SETFL, O_NONBLOCK);
	reach(s, "10.9.0.1", 5010);
	listener("10.9.0.2", 5011, 6);
	bound(SOCK_DGRAM, "10.9.0.2", 5012);
	usleep(300000);
	stay();
}

static void send_one(const char *address, int bytes)
{
	int s = socket(AF_INET, SOCK_DGRAM, 0);

	reach(s, address, 9);
	write_some(s, (size_t)bytes);
}

int main(int argc, char **argv)
{
	const char *verb = argc > 1 ? argv[1] : "";

	if (!strcmp(verb, "pair") && argc == 4)
		pair(argv[2], argv[3]);
	else if (!strcmp(verb, "neigh") && argc == 6)
		neighbour(argv[2], argv[3], argv[4], argv[5]);
	else if (!strcmp(verb, "plug") && argc == 3)
		plug(argv[2]);
	else if (!strcmp(verb, "qdiscs"))
		qdiscs();
	else if (!strcmp(verb, "peers"))
		peers();
	else if (!strcmp(verb, "caller"))
		other_caller();
	else if (!strcmp(verb, "send") && argc == 4)
		send_one(argv[2], atoi(argv[3]));
	else
		return 2;
	return 0;
}
