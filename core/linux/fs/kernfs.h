/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tree of names behind sysfs and cgroupfs, which is whole whatever anybody looked at, and what
 * a name of it stands for. */
#ifndef OBIT_LINUX_KERNFS_H
#define OBIT_LINUX_KERNFS_H

#include "core/image/target.h"

struct kernfs_node {
	uint64_t addr, parent; /* parent 0: it is a root */
	const char *name;      /* "": a root has none */
	const char *type;      /* "DIR", "FILE", "LINK" */
	uint64_t mode;         /* type and permissions, as stat() has them */
	uint64_t ino, size;
	uint64_t target; /* of a link: the struct kernfs_node that it leads to; else 0 */
	uint64_t ops;    /* of a file: struct kernfs_ops; else 0 */
	uint64_t priv;   /* what its maker keeps there */
};
bool kernfs_read(struct target *t, uint64_t addr, struct arena *a, struct kernfs_node *ret,
		 struct err *err) MUST_CHECK;
/* Calls fn with each name in a directory until it returns false. What cannot be read is told to
 * flaw(). */
bool kernfs_children(struct target *t, uint64_t dir, struct arena *a,
		     bool (*fn)(const struct kernfs_node *n, void *arg),
		     void (*flaw)(const struct err *e, void *arg), void *arg,
		     struct err *err) MUST_CHECK;
/* Sets *ret to the node of an absolute path, through what a task has mounted. Links on the way are
 * followed, one at its end only with follow. ERR_NOTFOUND: it is not there, or on no such file
 * system. */
bool kernfs_lookup(struct target *t, uint64_t task, const char *path, bool follow, struct arena *a,
		   struct kernfs_node *ret, struct err *err) MUST_CHECK;
/* Sets *ret to the names from the root of its file system to a node: "/devices/virtual/block". */
bool kernfs_path(struct target *t, uint64_t addr, struct arena *a, const char **ret,
		 struct err *err) MUST_CHECK;

/* ---- kernfs_object.c */
/* What a node of sysfs or of a control group stands for; what is 0 or NULL is not known. */
struct kernfs_object {
	uint64_t kobject;  /* struct kobject of a directory, or that a file is an attribute of */
	const char *ktype; /* symbol of its struct kobj_type, "device_ktype" */
	const char *type;  /* the struct that the kobject is in, "struct device"; "struct cgroup" */
	uint64_t addr;
	/* of a file: its struct attribute or bin_attribute, the type that begins with it, and its
	 * functions' names */
	uint64_t attribute;
	const char *attribute_type, *show, *store;
};
/* A node of another file system has nothing set. */
bool kernfs_object_read(struct target *t, const struct kernfs_node *n, struct arena *a,
			struct kernfs_object *ret, struct err *err) MUST_CHECK;

#endif
