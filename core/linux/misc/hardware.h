/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Errors of the hardware that the kernel counted, whether or not the log still has them. */
#ifndef OBIT_HARDWARE_H
#define OBIT_HARDWARE_H

#include "core/image/target.h"

/* Who counts errors. */
enum hardware_counter {
	HW_EDAC,   /* the drivers of memory controllers */
	HW_AER,    /* PCI devices that report errors */
	HW_POISON, /* pages taken out of use since their memory is bad */
	HW_HEAT,   /* times that CPUs were slowed down for their heat */
	HW_COUNTERS
};
struct hardware_count {
	enum hardware_counter counter;
	size_t seen;     /* how many things count: controllers, devices, CPUs; 0: none does */
	uint64_t mended; /* errors that were corrected; of HW_HEAT the number of times */
	uint64_t bad;    /* that were not corrected; of HW_POISON the number of pages */
	const char *mended_of, *bad_of; /* the first that counted one; NULL: none did, or no name */
	struct err why;                 /* why something of it could not be read; ERR_OK: all was */
};
/* Reads what one of them counted. */
void hardware_read(struct target *t, enum hardware_counter counter, struct hardware_count *ret);

#endif
