/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Network devices and sockets. */
#ifndef OBIT_LINUX_NET_H
#define OBIT_LINUX_NET_H

#include "core/image/target.h"

#define NET_ADDRESSES_MAX 64

struct net_device {
	uint64_t addr; /* struct net_device */
	const char *name;
	uint64_t index, mtu, flags; /* flags: IFF_* */
	const char *addresses[NET_ADDRESSES_MAX];
	size_t n_addresses; /* "10.1.2.3/24", "fe80::1/64" */
};
/* Calls fn with the address of each struct net, which is a network namespace, until fn returns
 * false. net_namespace_number() gives the number that /proc/PID/ns/net shows. */
bool net_namespaces(struct target *t, bool (*fn)(uint64_t net, void *arg),
		    void (*flaw)(const struct err *e, void *arg), void *arg,
		    struct err *err) MUST_CHECK;
bool net_namespace_number(struct target *t, uint64_t net, uint64_t *ret,
			  struct err *err) MUST_CHECK;
/* Sets *ret to the namespace of a task. ERR_NOTFOUND: the task is dead. */
bool net_namespace_of(struct target *t, uint64_t task, uint64_t *ret, struct err *err) MUST_CHECK;
/* Calls fn for each device of a namespace, or of the initial one when net is 0, in the order of
 * /proc/net/dev, until fn returns false. */
bool net_devices(struct target *t, uint64_t net, struct arena *a,
		 bool (*fn)(const struct net_device *d, void *arg),
		 void (*flaw)(const struct err *e, void *arg), void *arg,
		 struct err *err) MUST_CHECK;

struct net_socket {
	uint64_t addr, sock; /* struct socket, struct sock */
	const char *family;  /* "INET", "INET6", "UNIX", ...; a number where it has no name here */
	const char *type;    /* "STREAM", "DGRAM", ... */
	const char *state;   /* "LISTEN", "ESTABLISHED"; NULL where it means nothing */
	uint64_t net;        /* struct net; 0 unknown */
	bool orphan;         /* no task has it any more, and no struct socket */
	bool whole;          /* a struct sock is there, and not what stands for one */
	bool sized;          /* rx and tx are known */
	uint64_t rx, tx; /* of TCP bytes that nobody read, and bytes not yet acknowledged; of others
			    the memory that waiting packets take */
	uint64_t backlog;            /* bytes that came in while a task held its lock */
	bool listens;                /* the next two are known */
	uint64_t accept, accept_max; /* connections that wait for accept(2), and how many may */
	const char *source;          /* "127.0.0.1:4711", "/run/x.sock", "@abstract"; NULL: none */
	const char *destination;
};
/* Reads the socket that a struct file stands for. */
bool net_socket(struct target *t, uint64_t file, struct arena *a, struct net_socket *ret,
		struct err *err) MUST_CHECK;
/* Reads the struct sock at ret->sock, which may be one of those that TCP keeps in place of a whole
 * one: an inet_timewait_sock, or a request_sock. The rest of *ret is 0. */
bool net_sock(struct target *t, struct arena *a, struct net_socket *ret,
	      struct err *err) MUST_CHECK;

/* ---- socket_table.c */
/* Calls fn for each socket in the hash tables of TCP and UDP, of all network namespaces, until it
 * returns false: those too that no task has any more, and the rests of connections that are over.
 */
bool net_sockets(struct target *t, struct arena *a,
		 bool (*fn)(const struct net_socket *s, void *arg),
		 void (*flaw)(const struct err *e, void *arg), void *arg,
		 struct err *err) MUST_CHECK;

/* ---- workqueue.c */
struct queued_work {
	const char *state;       /* "running", "pending", "inactive" */
	uint64_t addr, function; /* struct work_struct */
	uint64_t wq;             /* struct workqueue_struct */
	const char *queue;       /* its name */
	uint64_t pool;           /* struct worker_pool */
	int cpu;                 /* that the pool is for; -1: any */
	uint64_t worker;         /* task_struct that runs it; 0: none yet */
};
struct workqueue {
	uint64_t addr;
	const char *name;
	uint64_t flags;
	size_t running, pending, inactive;
};
/* Calls wq for every workqueue, and before it work for each work that is queued there. Either may
 * be NULL, and returns false to stop. */
bool workqueues(struct target *t, struct arena *a,
		bool (*work)(const struct queued_work *w, void *arg),
		bool (*wq)(const struct workqueue *q, void *arg),
		void (*flaw)(const struct err *e, void *arg), void *arg,
		struct err *err) MUST_CHECK;

#endif
