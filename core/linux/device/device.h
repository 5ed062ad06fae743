/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The driver model: every device, its bus, driver and class, and what it waits for. */
#ifndef OBIT_DEVICE_H
#define OBIT_DEVICE_H

#include "core/image/target.h"

/* Strings live as long as the target; NULL where there is none. */
struct device {
	uint64_t addr; /* struct device */
	const char *name;
	const char *path; /* below /sys, "/devices/platform/9000000.pl011" */
	const char *bus, *driver, *cls;
	uint64_t parent; /* struct device; 0: none */
	uint64_t node;   /* struct device_node; 0: none */
	uint32_t major, minor;
	uint64_t bus_type;      /* struct bus_type; 0: none */
	bool waiting;           /* its probe was put off until what it needs is there, */
	const char *reason;     /* for this reason */
	unsigned children;      /* devices that have it for a parent */
	size_t first_kid, next; /* index + 1 of its first child, and of the next of its parent's */
	struct device *of_node; /* the next that stands for the same node; NULL: none */
	struct err why;         /* what of it could not be read; ERR_OK: nothing */
};

/* All devices that are registered, as the kernel lists them: oldest first. Read once. Where the
 * list is broken *ret has what was found, and *why a code that is not ERR_OK. */
bool devices_all(struct target *t, const struct device *const **ret, size_t *n, struct err *why,
		 struct err *err) MUST_CHECK;
/* By its struct device; NULL: none. */
const struct device *device_at(struct target *t, uint64_t addr);
/* The device that stands for a node of the device tree (struct device_node), of those that were
 * read: of several one with a driver first, the next is its of_node. NULL: none. */
const struct device *device_of_node(struct target *t, uint64_t node);
/* A node's own word for its device, which is not in the list of all. */
void device_of_node_add(struct target *t, uint64_t node, uint64_t addr);

/* ---- device_detail.c */
struct resource {
	uint64_t addr, start, end, flags;
	const char *name; /* in the scratch arena; NULL: none */
	unsigned depth;
};
#define IORES_IO 0x100u
#define IORES_MEM 0x200u
#define IORES_IRQ 0x400u
#define IORES_DMA 0x800u
#define RESOURCES_MAX 4096u

struct device_detail {
	const char *type; /* struct device_type.name */
	const char
		*status;   /* as power/runtime_status says: active, suspended, error, unsupported */
	int64_t usage;     /* power.usage_count */
	uint64_t disabled; /* power.disable_depth */
	uint64_t drvdata, driver, cls, fwnode;
	const char *domain; /* the power domain it is in */
	const struct resource *resources;
	size_t n_resources;
	const struct device *const *suppliers, *const *consumers;
	size_t n_suppliers, n_consumers;
	VEC(struct err) notes; /* released by device_detail_release() */
};
/* In the scratch arena. Never fails: what cannot be read is in its notes. */
void device_detail(struct target *t, const struct device *d, struct device_detail *ret);
void device_detail_release(struct device_detail *d);
/* The same status of any struct device; NULL: it cannot be read. */
const char *device_power(struct target *t, uint64_t dev);

/* ---- device_wait.c */
#define WAITS_MAX 64u
/* A supplier that is not there yet. */
struct device_wait {
	const char *name;  /* the device's; without one the path of its node */
	const char *node;  /* NULL: it has none */
	const char *state; /* what is wrong with it, in words */
	/* "device link"; "firmware link": only their nodes refer to each other; "given up": the
	 * kernel no longer holds the probe back for it, but the driver may */
	const char *how;
	const struct device *device; /* NULL: none was made */
};
/* The suppliers for want of which a device without a driver was not probed; in the
 * scratch arena. False: a list is broken; *ret has what was found before. */
bool device_waits(struct target *t, const struct device *d, const struct device_wait **ret,
		  size_t *n, struct err *err) MUST_CHECK;

/* ---- device_probe.c */
/* Why nobody drives a device of a bus, in words in the scratch arena: the registered driver that
 * would take it, or that none does. NULL: it has a driver or waits for one, is on no bus, or it
 * cannot be said. */
const char *device_unbound(struct target *t, const struct device *d);
#define DEVICE_SAID_MAX 8u
/* The log's last messages from it or of its failed probe, at most DEVICE_SAID_MAX; their number. */
size_t device_said(struct target *t, const struct device *d, const char *const **ret);

/* ---- device_parts.c */
/* Who supplies it, in words, in the scratch arena. */
struct device_parts {
	const char *const *clocks; /* "parts-gate (enabled 3, 24000000 Hz)" */
	size_t n_clocks;
	const char *const *supplies; /* "vdd: parts-ldo1 (enabled 1)" */
	size_t n_supplies;
	const char *const *lines; /* "reset: gpiochip1 0 (out, active-low, of 'reset')" */
	size_t n_lines;
	const char *const *pins; /* "default (now): pins: function i2c0 on group bus; ..." */
	size_t n_pins;
	const char *iommu; /* its group; NULL: none */
};
/* What its kernel has no such thing of stays empty; *why: the first that is broken, or ERR_OK. */
void device_parts(struct target *t, const struct device *d, struct device_parts *ret,
		  struct err *why);

/* ---- resource.c: the trees behind /proc/iomem and /proc/ioports, in order */
/* root: "iomem_resource" or "ioport_resource". The root itself is not given. */
bool resources_each(struct target *t, const char *root,
		    bool (*fn)(const struct resource *r, void *arg), void *arg,
		    struct err *err) MUST_CHECK;

/* ---- major.c: who has which device numbers, as /proc/devices */
struct major {
	bool block;
	unsigned major, minor; /* minor: the first of a range */
	unsigned minors;       /* 0 unknown: all of a block driver's */
	const char *name;
	uint64_t cdev; /* struct cdev, of several the one with the lowest numbers; 0: none */
	/* struct file_operations of its cdevs, struct block_device_operations of its disks, each
	 * once; none where nothing uses the numbers. At most MAJOR_OPS_MAX. */
	const uint64_t *ops;
	size_t n_ops;
};
#define MAJOR_OPS_MAX 8u
/* What is given to fn lives until fn returns. *why: what of cdevs and disks could not be read, or
 * ERR_OK; the ranges are given all the same. */
bool majors_each(struct target *t, bool (*fn)(const struct major *m, void *arg), void *arg,
		 struct err *why, struct err *err) MUST_CHECK;

#endif
