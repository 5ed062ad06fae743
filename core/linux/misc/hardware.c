/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The counters of memory controllers, of PCI devices, of bad pages and of heat. */
#include "core/linux/misc/hardware.h"

#include <string.h>

#include "core/linux/container/list.h"
#include "core/linux/device/device.h"
#include "core/linux/module/module.h"
#include "core/linux/subsystem.h"
#include "core/linux/task/cpu.h"
#include "core/types/shape.h"

static void count(struct hardware_count *c, uint64_t mended, uint64_t bad, const char *name)
{
	c->seen++;
	if (mended && !c->mended)
		c->mended_of = name;
	if (bad && !c->bad)
		c->bad_of = name;
	c->mended += mended;
	c->bad += bad;
}

/* ---- memory controllers: drivers/edac/edac_mc.c */

struct edac_walk {
	struct target *t;
	struct hardware_count *c;
};

static bool controller_found(uint64_t mci, void *arg)
{
	static const char type[] = "struct mem_ctl_info";
	struct edac_walk *w = arg;
	uint64_t mended, bad;
	const char *name;
	struct err ignored, why;

	if (!field_u64(w->t, type, mci, "ce_mc", &mended, &why) ||
	    !field_u64(w->t, type, mci, "ue_mc", &bad, &why)) {
		w->c->why = why;
		return true;
	}
	if (!subsystem_text(w->t, type, mci, "ctl_name", &name, &ignored))
		name = NULL;
	count(w->c, (uint32_t)mended, (uint32_t)bad, name);
	return true;
}

static void edac(struct target *t, struct hardware_count *c)
{
	struct edac_walk w = { t, c };
	const struct type *type;
	struct symbol head;
	struct err why;
	uint64_t link;

	/* a module on some machines: without it nobody counts */
	if (!module_symbol(t, "mc_devices", "edac_core", &head, &why)) {
		if (why.code != ERR_NOTFOUND)
			c->why = why;
		return;
	}
	if (!type_find_deep(t, "struct mem_ctl_info", &type, &why) ||
	    !field_offset(t, "struct mem_ctl_info", "link", &link, &why) ||
	    !list_each(t, head.addr, link, "memory controllers", controller_found, &w, &why))
		c->why = why;
}

/* ---- PCI: drivers/pci/pcie/aer.c */

static void aer_of(struct target *t, const struct device *d, uint64_t dev, struct hardware_count *c)
{
	uint64_t at, mended, fatal, other;
	struct err why;
	const char *type = "struct aer_info";

	/* renamed in v6.16 */
	if (!field_u64(t, "struct pci_dev", d->addr - dev, "aer_info", &at, &why)) {
		type = "struct aer_stats";
		/* a kernel without CONFIG_PCIEAER has neither */
		if (!field_u64(t, "struct pci_dev", d->addr - dev, "aer_stats", &at, &why))
			return;
	}
	if (!at)
		return;
	if (!field_u64(t, type, at, "dev_total_cor_errs", &mended, &why) ||
	    !field_u64(t, type, at, "dev_total_fatal_errs", &fatal, &why) ||
	    !field_u64(t, type, at, "dev_total_nonfatal_errs", &other, &why)) {
		c->why = why;
		return;
	}
	count(c, mended, fatal + other, d->name);
}

static void aer(struct target *t, struct hardware_count *c)
{
	const struct device *const *all;
	struct err why, lost;
	uint64_t dev;
	size_t n;

	if (!field_offset(t, "struct pci_dev", "dev", &dev, &why))
		return;
	if (!devices_all(t, &all, &n, &lost, &why)) {
		c->why = why;
		return;
	}
	c->why = lost;
	for (size_t i = 0; i < n; i++)
		if (all[i]->bus && !strcmp(all[i]->bus, "pci"))
			aer_of(t, all[i], dev, c);
}

/* ---- pages whose memory is bad: mm/memory-failure.c */

static void poison(struct target *t, struct hardware_count *c)
{
	struct err why;
	uint64_t at, n;

	if (!symbol_addr(t, "num_poisoned_pages", &at))
		return;
	if (mem_ptr(t, at, &n, &why))
		count(c, 0, n, NULL);
	else
		c->why = why;
}

/* ---- heat: arch/x86/kernel/cpu/mce/therm_throt.c, drivers/thermal/intel/therm_throt.c */

static void heat(struct target *t, struct hardware_count *c)
{
	static const char *const throttles[] = { "core_throttle.count", "package_throttle.count" };
	uint64_t state, n, most;
	struct symbol s;
	struct err why;
	unsigned cpus;

	/* x86 only, and not with every configuration */
	if (!symbol_find(t, "thermal_state", &s, &why) || !percpu_is(t, &s))
		return;
	if (!cpus_count(t, &cpus, &why)) {
		c->why = why;
		return;
	}
	for (unsigned cpu = 0; cpu < cpus; cpu++) {
		if (!cpu_has_run(t, cpu))
			continue;
		most = 0;
		for (size_t i = 0; i < ARRAY_SIZE(throttles); i++)
			if (!percpu_addr(t, "thermal_state", cpu, &state, &why) ||
			    !field_u64(t, "struct thermal_state", state, throttles[i], &n, &why))
				c->why = why;
			else if (n > most)
				most = n;
		count(c, most, 0, NULL);
	}
}

void hardware_read(struct target *t, enum hardware_counter counter, struct hardware_count *ret)
{
	static void (*const all[HW_COUNTERS])(struct target * t, struct hardware_count * c) = {
		[HW_EDAC] = edac,
		[HW_AER] = aer,
		[HW_POISON] = poison,
		[HW_HEAT] = heat,
	};

	*ret = (struct hardware_count){ .counter = counter };
	ret->why.code = ERR_OK;
	all[counter](t, ret);
}
