// SPDX-License-Identifier: GPL-2.0-or-later OR GPL-3.0-or-later
/* A kernel module that builds one of every container with known contents, some of them broken, and
 * says in /proc/garden what it built and where. */

#include <linux/init.h>
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/vmalloc.h>

#include "garden.h"

#define SAID_MAX (256 << 10)

static char *said;
static size_t said_len;

void garden_say(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	said_len += vscnprintf(said + said_len, SAID_MAX - said_len, fmt, args);
	va_end(args);
}

void garden_say_plant(const struct plant *plant)
{
	garden_say(" %#lx:%llu", (unsigned long)plant, plant->number);
}

struct plant *plant_new(u64 number)
{
	struct plant *plant = kzalloc(sizeof(*plant), GFP_KERNEL | __GFP_NOFAIL);

	plant->number = number;
	snprintf(plant->name, sizeof(plant->name), "plant %llu", number);
	return plant;
}

static int garden_show(struct seq_file *m, void *unused)
{
	seq_write(m, said, said_len);
	return 0;
}

static int __init garden_init(void)
{
	said = vzalloc(SAID_MAX);
	if (!said || !proc_create_single("garden", 0400, NULL, garden_show))
		return -ENOMEM;
	garden_plant_lists();
	garden_plant_trees();
	garden_plant_hashes();
	garden_plant_indices();
	garden_plant_sets();
	garden_break_lists();
	garden_break_trees();
	return garden_live();
}

module_init(garden_init);
MODULE_DESCRIPTION("one of every container, with known contents");
MODULE_LICENSE("GPL");
