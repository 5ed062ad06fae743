/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A perf.data as far as its headers say, and its records: readers/trace/perfdata_head.c reads the
 * former, perfstream.c the latter, which perfunpack.c unpacks; perfdata.c offers them. */
#ifndef OBIT_PERFDATA_H
#define OBIT_PERFDATA_H

#include "core/base/file.h"
#include "core/base/map.h"
#include "core/base/vec.h"
#include "readers/trace/tracedat.h"

/*
 * Sources of the format: tools/perf/Documentation/perf.data-file-format.txt and
 * include/uapi/linux/perf_event.h of Linux. Limits, beyond which things are left out: */
#define PERF_ATTRS_MAX 16384u
#define PERF_IDS_MAX 4000000u
#define PERF_FACTS_MAX 1000000u   /* names of tasks, mapped files */
#define PERF_PENDING_MAX 1000000u /* records that wait for an older one */
#define PERF_GROUP_MAX 64u        /* events of a group beside the one that is sampled */

/* sample_type: which fields a sample has; those that are looked at. */
enum perf_sample_type {
	PERF_IP = 1 << 0,
	PERF_TID = 1 << 1,
	PERF_TIME = 1 << 2,
	PERF_ADDR = 1 << 3,
	PERF_READ = 1 << 4,
	PERF_CALLCHAIN = 1 << 5,
	PERF_ID = 1 << 6,
	PERF_CPU = 1 << 7,
	PERF_PERIOD = 1 << 8,
	PERF_STREAM_ID = 1 << 9,
	PERF_RAW = 1 << 10,
	PERF_IDENTIFIER = 1 << 16
};

enum perf_record_type {
	PERF_RECORD_MMAP = 1,
	PERF_RECORD_LOST = 2,
	PERF_RECORD_COMM = 3,
	PERF_RECORD_FORK = 7,
	PERF_RECORD_SAMPLE = 9,
	PERF_RECORD_MMAP2 = 10,
	PERF_RECORD_LOST_SAMPLES = 13,
	PERF_RECORD_USER_TYPES = 64, /* from here on perf's own, not the kernel's */
	PERF_RECORD_HEADER_ATTR = 64,
	PERF_RECORD_HEADER_TRACING_DATA = 66,
	PERF_RECORD_FINISHED_ROUND = 68,
	PERF_RECORD_AUXTRACE = 71,
	PERF_RECORD_HEADER_FEATURE = 80,
	PERF_RECORD_COMPRESSED = 81,
	PERF_RECORD_COMPRESSED2 = 83
};
#define PERF_MISC_COMM_EXEC (1u << 13)
#define PERF_HEAD 8u /* bytes of a record's head: u32 type, u16 misc, u16 size */

/* An event that was asked for, struct perf_event_attr. */
struct perf_attr {
	uint32_t type; /* 2: a tracepoint, whose number is config */
	uint64_t config;
	uint64_t period; /* events of one sample; 0: each sample says it */
	uint64_t sample_type, read_format;
	bool sample_id_all;
	bool has_clock;
	int32_t clock;    /* clockid_t */
	const char *name; /* as perf calls it; NULL: not told */
	const char *system;
};

struct perf_id {
	uint64_t id;
	uint32_t attr;
};

struct perfdata {
	struct trace_meta meta; /* first: the recording's self */
	struct target *t;
	struct file *file;
	struct file *unpacked; /* the records, where those of the file are packed */
	bool pipe;             /* written to a pipe: headers are records */
	struct span data;      /* the records */
	bool packed, cut;
	struct perf_attr *attrs;
	uint32_t n_attrs;
	struct perf_id *ids; /* sorted */
	size_t n_ids;
	unsigned word_size, cpus;
	int32_t pid, tgid; /* of the event that is out */
	struct map comms;  /* tid to the name that it had last, as far as was read */
	/* the traced kernel: the build-id that perf noted, and where it said a symbol was */
	uint8_t build_id[20];
	size_t build_id_n;
	const char *ref_name; /* NULL: it did not say */
	uint64_t ref_addr;
	enum {
		PERF_NAMES_UNKNOWN,
		PERF_NAMES_NONE,
		PERF_NAMES_FIT
	} names;        /* the target's */
	uint64_t slide; /* from the target's addresses to the recording's */
};

/* Reads headers, and of a pipe the records that stand for them. The person is warned of what is
 * missing. False: it is no perf.data that can be read. */
bool perf_read_head(struct perfdata *p, struct err *err) MUST_CHECK;
/* Puts the packed records, one behind the other, into a file of no name. What is damaged ends them,
 * and the person is warned. */
bool perf_unpack(struct perfdata *p, struct err *err) MUST_CHECK;
/* The record at an offset of the records, with what stands behind it outside of its size. False: at
 * the end, or where no record is: then *err says so. */
bool perf_record_at(struct span data, size_t at, struct span *ret, size_t *next, struct err *err);
/* The event that a sample's or another record's id is of. NULL: unknown. */
const struct perf_attr *perf_attr_of(const struct perfdata *p, uint64_t id);

/* The id's place in p->ids; p->n_ids or more: unknown. */
size_t perf_id_index(const struct perfdata *p, uint64_t id);

/* For struct recording_ops. */
bool perfstream_open(struct trace_reader *r, struct arena *a, struct err *err);
bool perfstream_next(struct trace_reader *r, struct trace_event *ret, struct err *err);

#endif
