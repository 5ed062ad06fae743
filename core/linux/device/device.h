/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The driver model: every device, its bus, driver and class, and what it waits for. */
#ifndef OBIT_DEVICE_H
#define OBIT_DEVICE_H

#include "core/image/target.h"

/* One device. Strings live as long as the target; NULL: there is none. */
struct device {
	uint64_t addr; /* struct device */
	const char *name;
	const char *path; /* below /sys, "/devices/platform/9000000.pl011" */
	const char *bus, *driver, *cls;
	uint64_t parent; /* struct device; 0: none */
	uint64_t node;   /* struct device_node; 0: none */
	uint32_t major, minor;
	uint64_t bus_type;      /* struct bus_type; 0: none */
	bool waiting;           /* its probe was put off until what it needs is there */
	const char *reason;     /* why it was put off; NULL: nobody said */
	unsigned children;      /* how many devices have it for a parent */
	size_t first_kid, next; /* of its first child, and of its parent's next one: index + 1 */
	struct device *of_node; /* the next device that stands for the same node; NULL: none */
	struct err why;         /* why something of it could not be read; ERR_OK: all was */
};

/* Sets *ret to all devices that are registered, in the kernel's order, which has the oldest first.
 * They are read once. When the list is broken, *ret has those that were found, and *why says why;
 * it is ERR_OK otherwise. */
bool devices_all(struct target *t, const struct device *const **ret, size_t *n, struct err *why,
		 struct err *err) MUST_CHECK;
/* The device whose struct device is at addr; NULL: there is none. */
const struct device *device_at(struct target *t, uint64_t addr);
/* The device that stands for the struct device_node at `node`, among those that were read. Of
 * several the ones with a driver come first; each one's of_node is the next. NULL: there is none.
 */
const struct device *device_of_node(struct target *t, uint64_t node);
/* Adds the device at addr, which the list of all does not have, but the node says that it is its.
 */
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
/* Fills *ret, in the scratch arena. Never fails: ret->notes has what cannot be read. */
void device_detail(struct target *t, const struct device *d, struct device_detail *ret);
void device_detail_release(struct device_detail *d);
/* What device_detail.status is, of the struct device at dev; NULL: it cannot be read. */
const char *device_power(struct target *t, uint64_t dev);

/* ---- device_wait.c */
#define WAITS_MAX 64u
/* A supplier that a device waits for. */
struct device_wait {
	const char *name;  /* the supplier's name; the path of its node when there is no device */
	const char *node;  /* the path of its node; NULL: it has none */
	const char *state; /* what is wrong with it, in words: "no driver" */
	/* how the device depends on it. "device link": the kernel knows that it does; "firmware
	 * link": only its node refers to the supplier's; "given up": the kernel does not hold the
	 * probe back any more, but the driver may */
	const char *how;
	const struct device *device; /* NULL: none was made */
};
/* Sets *ret to the suppliers that are missing so that a device without a driver was not probed; in
 * the scratch arena. False: a list is broken, and *ret has those that were found before. */
bool device_waits(struct target *t, const struct device *d, const struct device_wait **ret,
		  size_t *n, struct err *err) MUST_CHECK;

/* ---- device_probe.c */
/* Says in words, in the scratch arena, why no driver is bound to a device: which registered driver
 * would take it, or that none would. NULL: it has a driver, waits for its probe, is on no bus, or
 * nobody can tell. */
const char *device_unbound(struct target *t, const struct device *d);
#define DEVICE_SAID_MAX 8u
/* Sets *ret to the last messages in the log that the device printed or that tell of its failed
 * probe, and returns how many they are, at most DEVICE_SAID_MAX. */
size_t device_said(struct target *t, const struct device *d, const char *const **ret);

/* ---- device_parts.c */
/* What a device uses of others, in words, in the scratch arena. */
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
/* Fills *ret; lists stay empty of which this kernel has no such thing. *why is the error of the
 * first thing that is broken, or ERR_OK. */
void device_parts(struct target *t, const struct device *d, struct device_parts *ret,
		  struct err *why);

/* ---- resource.c: the trees behind /proc/iomem and /proc/ioports, in order */
/* Calls fn for every resource below `root`, which is "iomem_resource" or "ioport_resource", in the
 * tree's order, until fn returns false. */
bool resources_each(struct target *t, const char *root,
		    bool (*fn)(const struct resource *r, void *arg), void *arg,
		    struct err *err) MUST_CHECK;

/* ---- pci.c */
struct pci_ids {
	uint64_t addr; /* struct pci_dev */
	uint32_t cls;  /* class, subclass, programming interface: a byte each */
	uint16_t vendor, device, sub_vendor, sub_device;
	uint8_t revision;
};
/* Reads the numbers of a device on the bus "pci". */
bool pci_read(struct target *t, const struct device *d, struct pci_ids *ret,
	      struct err *err) MUST_CHECK;

/* ---- disk.c */
struct disk {
	uint64_t addr; /* struct gendisk */
	const struct device *device;
};
/* Calls fn for each disk, which partitions are none, in the order of devices, until fn returns
 * false. *why is the last error of what could not be read, or ERR_OK. */
bool disks_each(struct target *t, bool (*fn)(const struct disk *d, void *arg), void *arg,
		struct err *why, struct err *err) MUST_CHECK;

/* ---- major.c: who has which device numbers, as /proc/devices */
struct major {
	bool block;
	unsigned major, minor; /* minor is the first of a range */
	unsigned minors;       /* how many; 0: a block driver has all, or it is not known */
	const char *name;
	uint64_t cdev; /* its struct cdev, of several the one with the lowest numbers; 0: none */
	/* addresses of the struct file_operations of its cdevs, or of the struct
	 * block_device_operations of its disks, each once and at most MAJOR_OPS_MAX; none when
	 * nothing uses the numbers */
	const uint64_t *ops;
	size_t n_ops;
};
#define MAJOR_OPS_MAX 8u
/* Calls fn for each range of device numbers, until fn returns false; what it is given is gone when
 * it returns. *why says why cdevs or disks could not be read, or is ERR_OK; fn is called for the
 * ranges in any case. */
bool majors_each(struct target *t, bool (*fn)(const struct major *m, void *arg), void *arg,
		 struct err *why, struct err *err) MUST_CHECK;

#endif
