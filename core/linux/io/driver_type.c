/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The types of drivers: a driver that is a module has them to itself. */
#include <string.h>

#include "core/linux/io/io_impl.h"
#include "core/types/shape.h"

#define TYPES_MAX 3

/* By the function that takes a queue's requests or a disk's bios, or that a bio's end calls. */
static const struct {
	const char *by;
	const char *types[TYPES_MAX];
} drivers[] = {
	{ "scsi_queue_rq", { "struct scsi_cmnd", "struct scsi_device", "struct Scsi_Host" } },
	{ "nvme_queue_rq", { "struct nvme_request", "struct nvme_command", "enum nvme_opcode" } },
	{ "nvme_rdma_queue_rq",
	  { "struct nvme_request", "struct nvme_command", "enum nvme_opcode" } },
	{ "nvme_tcp_queue_rq",
	  { "struct nvme_request", "struct nvme_command", "enum nvme_opcode" } },
	{ "virtio_queue_rq", { "struct virtblk_req" } },
	{ "loop_queue_rq", { "struct loop_cmd", "struct loop_device" } },
	{ "dm_submit_bio", { "struct mapped_device" } },
	{ "dm_mq_queue_rq", { "struct mapped_device" } },
	{ "clone_endio", { "struct dm_target_io", "struct dm_io" } },
	{ "md_end_clone_io", { "struct md_io_clone" } },
	{ "md_end_io_acct", { "struct md_io_acct" } },
	{ "raid1_end_read_request", { "struct r1bio" } },
	{ "raid1_end_write_request", { "struct r1bio" } },
	{ "raid10_end_read_request", { "struct r10bio" } },
	{ "raid10_end_write_request", { "struct r10bio" } },
};

const char *io_bio_taker(const struct io_call *c, uint64_t disk)
{
	uint64_t fops, taker = 0;
	struct err why;

	if (!field_u64(c->t, "struct gendisk", disk, "fops", &fops, &why) ||
	    (fops && !field_u64(c->t, "struct block_device_operations", fops, "submit_bio", &taker,
				&why))) {
		/* the queue had it until c62b37d96b6e (v5.9) */
		if (why.code != ERR_NOFIELD)
			io_tell(c, &why, "disk", disk);
		return NULL;
	}
	return io_symbol(c, taker);
}

void io_types_load(const struct io_call *c, const char *by)
{
	const struct type *type;
	struct err ignored;

	/* what is missed is told where it is asked for */
	for (size_t i = 0; by && i < ARRAY_SIZE(drivers); i++)
		for (size_t k = 0; !strcmp(drivers[i].by, by) && k < TYPES_MAX; k++)
			if (drivers[i].types[k])
				(void)!type_find_deep(c->t, drivers[i].types[k], &type, &ignored);
}
