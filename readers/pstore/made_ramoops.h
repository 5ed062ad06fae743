/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests: regions of persistent RAM made as the kernel makes them, from the documented layout.
 */
#ifndef OBIT_MADE_RAMOOPS_H
#define OBIT_MADE_RAMOOPS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "readers/pstore/fec.h"

/* The module's parameters; sizes are powers of two but for the region's. */
struct made_sizes {
	size_t region, record, console, ftrace, pmsg;
	unsigned ecc, cpus;
	uint32_t code; /* of the kernel: major << 16 | minor << 8 | patch */
	bool ftrace_last;
};

struct made_zone {
	size_t off, size, room; /* room: for data */
	uint32_t sig, start, fill;
};

#define MADE_ZONES 64
#define MADE_MAX 0x100000 /* bytes of a region */
struct made_region {
	uint8_t p[MADE_MAX];
	struct made_sizes s;
	struct made_zone z[MADE_ZONES];
	size_t n, n_dmesg;
	size_t console, pmsg, ftrace; /* where in z; ftrace: the first CPU's */
};

static inline void made_put32(uint8_t *p, uint32_t x)
{
	for (int i = 0; i < 4; i++)
		p[i] = (uint8_t)(x >> 8 * i);
}

static inline void made_put64(uint8_t *p, uint64_t x)
{
	for (int i = 0; i < 8; i++)
		p[i] = (uint8_t)(x >> 8 * i);
}

static inline size_t made_add(struct made_region *m, size_t off, size_t size, uint32_t sig)
{
	size_t room = size - 12, ecc = m->s.ecc;

	/* one block of parity more, for the header */
	if (ecc)
		room -= ((room - ecc + 127 + ecc) / (128 + ecc) + 1) * ecc;
	m->z[m->n] = (struct made_zone){ .off = off, .size = size, .room = room, .sig = sig };
	return m->n++;
}

static inline void made_begin(struct made_region *m, const struct made_sizes *s)
{
	size_t dump = s->region - s->console - s->ftrace - s->pmsg, at = 0, each;

	memset(m, 0, sizeof(*m));
	m->s = *s;
	m->n_dmesg = dump / s->record;
	each = dump / m->n_dmesg;
	for (size_t i = 0; i < m->n_dmesg; i++, at += each)
		made_add(m, at, each, 0x43474244);
	if (s->console) {
		m->console = made_add(m, at, s->console, 0x43474244);
		at += s->console;
	}
	for (int step = 0; step < 2; step++) {
		if ((step == 0) == s->ftrace_last && s->pmsg) {
			m->pmsg = made_add(m, at, s->pmsg, 0x43474244);
			at += s->pmsg;
		} else if ((step == 1) == s->ftrace_last && s->ftrace) {
			m->ftrace = m->n;
			for (unsigned i = 0; i < s->cpus; i++, at += s->ftrace / s->cpus)
				made_add(m, at, s->ftrace / s->cpus, 0x43474244 ^ s->code);
		}
	}
}

/* Appends to a ring, as persistent_ram_write() does: at most its last bytes are kept. */
static inline void made_write(struct made_region *m, size_t zone, const void *data, size_t n)
{
	struct made_zone *z = &m->z[zone];
	uint8_t *to = m->p + z->off + 12;
	const uint8_t *from = data;

	if (n > z->room) {
		from += n - z->room;
		n = z->room;
	}
	for (size_t i = 0; i < n; i++) {
		to[z->start] = from[i];
		z->start = (uint32_t)((z->start + 1) % z->room);
	}
	z->fill = (uint32_t)(z->fill + n < z->room ? z->fill + n : z->room);
}

static inline void made_parity(unsigned ecc, const uint8_t *data, size_t n, uint8_t *parity)
{
	void *rs = init_rs_char(8, 0x11d, 0, 1, (int)ecc, (int)(255 - ecc - n));
	uint8_t copy[128];

	memcpy(copy, data, n);
	encode_rs_char(rs, copy, parity);
	free_rs_char(rs);
}

/* Headers and parity, once all is written. */
static inline void made_end(struct made_region *m)
{
	for (size_t i = 0; i < m->n; i++) {
		struct made_zone *z = &m->z[i];
		uint8_t *p = m->p + z->off, *parity = p + 12 + z->room;

		made_put32(p, z->sig);
		made_put32(p + 4, z->start);
		made_put32(p + 8, z->fill);
		if (!m->s.ecc)
			continue;
		for (size_t at = 0; at < z->room; at += 128, parity += m->s.ecc)
			made_parity(m->s.ecc, p + 12 + at, z->room - at < 128 ? z->room - at : 128,
				    parity);
		/* at the end, where the count of blocks had been rounded up */
		made_parity(m->s.ecc, p, 12, p + z->size - m->s.ecc);
	}
}

/* One call: 24 bytes on 64 bits. */
static inline void made_call(struct made_region *m, unsigned cpu, uint64_t ip, uint64_t parent,
			     uint64_t stamp)
{
	uint8_t rec[24];

	made_put64(rec, ip);
	made_put64(rec + 8, parent);
	made_put64(rec + 16, stamp << 8 | cpu);
	made_write(m, m->ftrace + cpu, rec, sizeof(rec));
}

/* One message as Android's logger writes it. */
static inline void made_frame(struct made_region *m, unsigned pid, uint32_t sec, uint32_t nsec,
			      unsigned prio, const char *tag, const char *text)
{
	size_t t = strlen(tag) + 1, n = 19 + t + strlen(text) + 1;
	uint8_t rec[512] = { 'l' };

	rec[1] = (uint8_t)n;
	rec[2] = (uint8_t)(n >> 8);
	rec[3] = 1000 & 0xff;
	rec[4] = 1000 >> 8;
	rec[5] = (uint8_t)pid;
	rec[6] = (uint8_t)(pid >> 8);
	rec[7] = 0;
	rec[8] = (uint8_t)pid;
	rec[9] = (uint8_t)(pid >> 8);
	made_put32(rec + 10, sec);
	made_put32(rec + 14, nsec);
	rec[18] = (uint8_t)prio;
	memcpy(rec + 19, tag, t);
	memcpy(rec + 19 + t, text, strlen(text) + 1);
	made_write(m, m->pmsg, rec, n);
}

static inline void made_line(struct made_region *m, size_t zone, const char *prefix, unsigned i)
{
	char line[128];
	int n = snprintf(line, sizeof(line), "%s[%5u.%06u] made: line %u of the story\n", prefix,
			 i / 10, i % 10 * 100000, i);

	made_write(m, zone, line, (size_t)n);
}

/* Addresses of the calls: kernel text of x86-64, moved by the story's Kernel Offset. */
#define MADE_IP UINT64_C(0xffffffff82700000)

/*
 * A region with everything: a plain dmesg record of a panic at second 1700000100, whose log ends
 * 200 s after boot; a console that has wrapped, with the same lines and some more; frames of user
 * space that have wrapped; calls on every CPU that have wrapped, their first ones cut.
 */
static inline void made_story(struct made_region *m, const struct made_sizes *s)
{
	static const char head[] = "====1700000100.250000-D\nPanic#1 Part1\n",
			  panic[] = "Kernel panic - not syncing: made up",
			  offset[] = "Kernel Offset: 0x1600000 from 0xffffffff81000000\n";
	char line[256];
	int n;

	made_begin(m, s);
	made_write(m, 0, head, sizeof(head) - 1);
	for (unsigned i = 1900; i < 2000; i++)
		made_line(m, 0, "<6>", i);
	n = snprintf(line, sizeof(line), "<0>[  200.000000] %s\n<0>[  200.000001] %s", panic,
		     offset);
	made_write(m, 0, line, (size_t)n);
	for (unsigned i = 0; i < 2000 && s->console; i++)
		made_line(m, m->console, "", i);
	n = snprintf(line, sizeof(line),
		     "[  200.000000] %s\n[  200.000001] %s[  200.000002] ---[ end %s ]---\n", panic,
		     offset, panic);
	if (s->console)
		made_write(m, m->console, line, (size_t)n);
	for (unsigned i = 0; i < 1000 && s->pmsg; i++) {
		snprintf(line, sizeof(line), "message %u", i);
		made_frame(m, 1234, 1700000000 + i / 10, i % 10 * 1000, 4, "made", line);
	}
	for (unsigned i = 1; i <= 5000 && s->ftrace; i++)
		made_call(m, i % 3 ? 0 : s->cpus - 1, MADE_IP + i * 16, MADE_IP + i * 16 + 0x1005,
			  i);
	made_end(m);
}

/* Spoils so many bytes of every block that holds something, and of every header. */
static inline void made_damage(struct made_region *m, unsigned per_block, bool header)
{
	uint32_t x = 12345;

	for (size_t i = 0; i < m->n; i++) {
		struct made_zone *z = &m->z[i];
		uint8_t *p = m->p + z->off;

		for (unsigned j = 0; header && j < per_block && z->fill; j++)
			p[j] ^= (uint8_t)(0x5a + j);
		for (size_t at = 0; at + 128 <= z->fill; at += 128) {
			x = x * 1103515245u + 12345u;
			for (unsigned j = 0; j < per_block; j++)
				p[12 + at + ((x >> 16) + j * 13) % 128] ^=
					(uint8_t)(1 + (x >> 8 & 63) + j);
		}
	}
}

#endif
