/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Input and output that was under way: requests of block devices, bios that waited, writeback,
 * calls of servers. */
#ifndef OBIT_LINUX_IO_H
#define OBIT_LINUX_IO_H

#include "core/image/target.h"
#include "core/linux/task/task.h"

/* Where damage is told to; never NULL in what a struct io_call holds. */
struct io_call {
	struct target *t;
	struct arena *a; /* what is handed back lives in it */
	void (*flaw)(const struct err *e, void *arg);
	void *arg;
};

/* ---- queue.c */
#define IO_NAME_MAX 64

/* A queue of requests, and the disk that it serves. */
struct io_queue {
	uint64_t addr;    /* struct request_queue */
	uint64_t disk;    /* struct gendisk; 0: it serves none, as a host's own queue does */
	const char *name; /* the disk's; NULL: it has none */
	uint32_t major, minor;
	uint64_t set;       /* struct blk_mq_tag_set; 0: bios go past it, as in device-mapper */
	const char *driver; /* the function that takes its requests, "virtio_queue_rq"; or NULL */
	const char *scheduler; /* "mq-deadline"; NULL: none */
	uint64_t hctxs;        /* how many hardware queues it has */
	/* how many requests were under way, how many of these the driver had not got yet, and the
	 * age of the oldest in nanoseconds */
	size_t requests, reads, writes, queued;
	uint64_t oldest_ns;
	bool counted; /* false: how many there were is not known */
};

/* ---- bio.c */
/* One bio on the way from whoever submitted it to the disk. */
struct io_layer {
	uint64_t bio;
	const char *device; /* that it was submitted to; NULL unknown */
	const char *end;   /* the function that is called when it ends, "clone_endio"; NULL: none */
	uint64_t end_data; /* bi_private: what that function is given */
};
#define IO_LAYERS_MAX 16u

struct io_bio {
	uint64_t addr;
	const char *device;
	const char *op, *flags;
	uint64_t sector, bytes;
	const char *where;       /* what it waited in: "suspended device", "submission" */
	const struct task *task; /* that submits it, or waits for its end; NULL: not known */
};
/* Calls fn for each bio that was in no request yet: those that a suspended device-mapper device
 * keeps, and those that a task is just handing down. */
bool io_bios(const struct io_call *c, bool (*fn)(const struct io_bio *b, void *arg), void *arg,
	     struct err *err) MUST_CHECK;

/* ---- request.c */
struct io_request {
	uint64_t addr; /* struct request */
	struct io_queue *queue;
	const char *device; /* the partition's name, or the disk's; NULL: neither has one */
	const char
		*op; /* by the kernel's enum: "READ", "WRITE_ZEROES"; a number where it has none */
	const char *flags; /* "SYNC,META"; "": none */
	bool has_sector;
	uint64_t sector, bytes;
	const char *state;      /* by the kernel's enum: "idle", "in_flight", "complete" */
	const char *where;      /* in words, who had it: "driver", "scheduler", "dispatch list" */
	int64_t tag, sched_tag; /* -1: none */
	int64_t cpu;            /* that it was submitted on; -1 unknown */
	bool has_age, has_issued;
	uint64_t age_ns;               /* since it was allocated, or since age_of has it */
	uint64_t issued_ns;            /* since the driver got it */
	const char *age_of;            /* the member that says so: "start_time_ns", "deadline" */
	size_t bios;                   /* how many are in it */
	const struct io_layer *layers; /* from the disk up */
	size_t n_layers;
	const struct task *issuer; /* NULL: nothing proves who waits for it */
	uint64_t end_data;         /* what its end is told to, besides its bios; 0: nothing */
	const char *issuer_how;    /* "stack": what its end is told to lies on the task's stack */
	/* set by io_command_read(): */
	uint64_t command;         /* what the driver keeps behind the request; 0: nothing */
	const char *command_type; /* "struct scsi_cmnd"; NULL: the driver is not known here */
	const char *command_text; /* "READ(10) ..."; NULL: the types of the driver are not loaded */
};
struct io_all {
	struct io_queue *queues;
	size_t n_queues;
	struct io_request *requests; /* the oldest first */
	size_t n_requests;
};
/* Finds the queues of all disks, and of those that share tags with them, and the requests in them
 * that were allocated and not yet freed. */
bool io_read(const struct io_call *c, struct io_all *ret, struct err *err) MUST_CHECK;

/* ---- command.c */
/* Sets what a request's driver made of it: that lies behind the request. Slow where the types of
 * the driver must be sought in DWARF. */
void io_command_read(const struct io_call *c, struct io_request *r);

/* ---- claim.c */
/* What ends when a request does, or a bio that is in none yet. */
struct io_claim {
	/* of a page the struct page, of a compound page its first; else what the end is told to:
	 * bi_private of a bio, or the request's end_io_data */
	uint64_t addr;
	bool page;
	const char *end; /* the function that is told; NULL: unknown, and of end_io_data */
	const struct io_request *request; /* one of io_all.requests; NULL: it is a bio alone */
	const struct io_bio *bio;         /* NULL: it is in a request; in the arena */
};
/* Calls fn for all claims, those of the oldest request first. */
bool io_claims_each(const struct io_call *c, const struct io_all *all,
		    void (*fn)(const struct io_claim *claim, void *arg), void *arg,
		    struct err *err) MUST_CHECK;

/* ---- writeback.c */
struct writeback_work {
	uint64_t addr; /* struct wb_writeback_work */
	const char *reason;
	const char *sb; /* s_id; NULL: all file systems of the device */
	int64_t pages;  /* how many it is to write */
	bool sync;      /* somebody waits for the data */
};
struct writeback {
	uint64_t bdi, wb;     /* struct backing_dev_info, bdi_writeback */
	const char *device;   /* "7:0"; NULL unknown */
	const char *state;    /* "writeback_running,has_dirty_io"; "": nothing */
	int64_t dirty, under; /* pages, as the sum without what CPUs have not added yet */
	uint64_t bandwidth;   /* bytes a second, averaged */
	size_t inodes[4];     /* in b_dirty, b_io, b_more_io, b_dirty_time */
	bool has_oldest;
	uint64_t oldest_ns; /* since the inode that was dirtied first was */
	const struct writeback_work *works;
	size_t n_works;
};
/* Calls fn for each device and each cgroup that writes back to it, until fn returns false. */
bool writebacks_each(const struct io_call *c, bool (*fn)(const struct writeback *w, void *arg),
		     void *arg, struct err *err) MUST_CHECK;

/* ---- rpc.c */
struct rpc_call {
	uint64_t task, client; /* struct rpc_task, rpc_clnt */
	const char *program;   /* "nfs"; NULL unknown */
	uint64_t version;
	const char *procedure; /* "READ"; NULL: it has no name */
	const char *server, *address;
	const char *queue;  /* what it sleeps in: "xprt_pending"; NULL: it runs or does not say */
	const char *action; /* the function that goes on with it */
	bool has_age;
	uint64_t age_ns;
	/* the process in which the call was made, which need not wait for it; 0 unknown */
	int64_t owner;
	int64_t status;
	uint64_t timeouts;
};
/* Calls fn for each call that is not finished, the oldest first, until fn returns false.
 * ERR_NOTFOUND: this kernel has no client of such calls; any other code does not say so. */
bool rpc_calls(const struct io_call *c, bool (*fn)(const struct rpc_call *r, void *arg), void *arg,
	       struct err *err) MUST_CHECK;

#endif
