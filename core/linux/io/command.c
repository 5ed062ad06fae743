/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a driver keeps behind a request: the command that it gave the device. */
#include <string.h>

#include "core/base/buf.h"
#include "core/linux/fs/vfs.h"
#include "core/linux/io/io_impl.h"
#include "core/types/shape.h"

#define CDB_MAX 32u

/* Operation codes of SPC and SBC that disks are given; others are shown by their bytes. */
static const struct {
	uint8_t code;
	const char *name;
} scsi_codes[] = {
	{ 0x00, "TEST UNIT READY" },
	{ 0x03, "REQUEST SENSE" },
	{ 0x12, "INQUIRY" },
	{ 0x1a, "MODE SENSE(6)" },
	{ 0x1b, "START STOP UNIT" },
	{ 0x25, "READ CAPACITY(10)" },
	{ 0x28, "READ(10)" },
	{ 0x2a, "WRITE(10)" },
	{ 0x35, "SYNCHRONIZE CACHE(10)" },
	{ 0x41, "WRITE SAME(10)" },
	{ 0x42, "UNMAP" },
	{ 0x88, "READ(16)" },
	{ 0x8a, "WRITE(16)" },
	{ 0x91, "SYNCHRONIZE CACHE(16)" },
	{ 0x93, "WRITE SAME(16)" },
	{ 0xa0, "REPORT LUNS" },
};

/* Of virtio_blk, from the standard: 5.2.6 Device Operation. */
static const struct {
	uint32_t type;
	const char *name;
} virtio_types[] = {
	{ 0, "IN" },       { 1, "OUT" },           { 4, "FLUSH" },         { 8, "GET_ID" },
	{ 11, "DISCARD" }, { 13, "WRITE_ZEROES" }, { 14, "SECURE_ERASE" },
};

/* "2:0:0:0 READ(10) 28 00 00 00 10 00 00 00 08 00" */
static bool scsi_text(const struct io_call *c, const struct io_request *r, const char **ret,
		      struct err *err)
{
	static const char cmd[] = "struct scsi_cmnd", dev[] = "struct scsi_device";
	uint64_t len, at, device, host, number = 0, channel, id, lun;
	const struct type *type;
	struct member_ref ref;
	uint8_t cdb[CDB_MAX];
	struct buf b = { 0 };

	if (!field_u64(c->t, cmd, r->command, "cmd_len", &len, err) ||
	    !type_find(c->t, cmd, &type, err) || !type_member(type, "cmnd", &ref, err) ||
	    !field_u64(c->t, cmd, r->command, "device", &device, err) ||
	    !field_u64(c->t, dev, device, "host", &host, err) ||
	    !field_u64(c->t, "struct Scsi_Host", host, "host_no", &number, err) ||
	    !field_u64(c->t, dev, device, "channel", &channel, err) ||
	    !field_u64(c->t, dev, device, "id", &id, err) ||
	    !field_u64(c->t, dev, device, "lun", &lun, err))
		return false;
	at = r->command + ref.offset;
	/* a pointer until ce70fd9a551a (v5.18) */
	if (type_strip(ref.type)->kind == TYPE_POINTER && !mem_ptr(c->t, at, &at, err))
		return false;
	if (!len || len > CDB_MAX)
		return err_set_addr(err, ERR_CORRUPT, r->command, "a command of %llu bytes",
				    (unsigned long long)len);
	if (!mem_read(c->t, at, cdb, len, err))
		return false;
	buf_printf(&b, "%llu:%llu:%llu:%llu", (unsigned long long)number,
		   (unsigned long long)channel, (unsigned long long)id, (unsigned long long)lun);
	for (size_t i = 0; i < ARRAY_SIZE(scsi_codes); i++)
		if (scsi_codes[i].code == cdb[0])
			buf_printf(&b, " %s", scsi_codes[i].name);
	for (uint64_t i = 0; i < len; i++)
		buf_printf(&b, " %02x", cdb[i]);
	*ret = arena_strndup(c->a, b.s, b.n);
	buf_release(&b);
	return true;
}

static bool nvme_text(const struct io_call *c, const struct io_request *r, const char **ret,
		      struct err *err)
{
	static const char cmd[] = "struct nvme_command";
	uint64_t at, opcode, nsid, id, size;
	const char *name;

	*ret = NULL;
	if (!field_u64(c->t, "struct nvme_request", r->command, "cmd", &at, err) ||
	    !field_u64(c->t, "struct blk_mq_tag_set", r->queue->set, "cmd_size", &size, err))
		return false;
	/* v5.10 makes a read or write on the stack, and the pointer is nothing, or another
	 * command's; network transports keep theirs elsewhere */
	if (!at || (!strcmp(r->queue->driver, "nvme_queue_rq") && at - r->command >= size))
		return true;
	if (!field_u64(c->t, cmd, at, "common.opcode", &opcode, err) ||
	    !field_u64(c->t, cmd, at, "common.nsid", &nsid, err) ||
	    !field_u64(c->t, cmd, at, "common.command_id", &id, err))
		return false;
	/* numbers of the controller's own queue mean other commands */
	if (!r->queue->disk || !io_enum_name(c->t, "enum nvme_opcode", "nvme_cmd_", opcode, &name))
		name = arena_printf(c->a, "opcode 0x%02llx", (unsigned long long)opcode);
	*ret = arena_printf(c->a, "%s, namespace %llu, command %llu", name,
			    (unsigned long long)nsid, (unsigned long long)id);
	return true;
}

/* The device reads these numbers in little-endian order, as every machine that is read here has
 * them. */
static bool virtio_text(const struct io_call *c, const struct io_request *r, const char **ret,
			struct err *err)
{
	uint64_t type, sector;
	const char *name = NULL;

	if (!field_u64(c->t, "struct virtblk_req", r->command, "out_hdr.type", &type, err) ||
	    !field_u64(c->t, "struct virtblk_req", r->command, "out_hdr.sector", &sector, err))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(virtio_types); i++)
		if (virtio_types[i].type == type)
			name = virtio_types[i].name;
	if (!name)
		name = arena_printf(c->a, "type %llu", (unsigned long long)type);
	*ret = arena_printf(c->a, "%s, sector %llu", name, (unsigned long long)sector);
	return true;
}

/* What stands behind a loop device is a file. */
static bool loop_text(const struct io_call *c, const struct io_request *r, const char **ret,
		      struct err *err)
{
	uint64_t loop, file;
	const char *path;

	if (!r->queue->disk)
		return err_set(err, ERR_NOTFOUND, "a loop device without a disk");
	if (!field_u64(c->t, "struct gendisk", r->queue->disk, "private_data", &loop, err) ||
	    !field_u64(c->t, "struct loop_device", loop, "lo_backing_file", &file, err))
		return false;
	if (!file)
		return err_set(err, ERR_NOTFOUND, "no file is behind the loop device");
	if (!vfs_file_path(c->t, file, c->a, &path, err))
		return false;
	*ret = arena_printf(c->a, "file %s", path);
	return true;
}

/* Drivers by the function that takes their requests. */
static const struct io_driver {
	const char *queue_rq, *type;
	bool (*text)(const struct io_call *c, const struct io_request *r, const char **ret,
		     struct err *err);
} drivers[] = {
	{ "scsi_queue_rq", "struct scsi_cmnd", scsi_text },
	{ "nvme_queue_rq", "struct nvme_request", nvme_text },
	{ "nvme_rdma_queue_rq", "struct nvme_request", nvme_text },
	{ "nvme_tcp_queue_rq", "struct nvme_request", nvme_text },
	{ "virtio_queue_rq", "struct virtblk_req", virtio_text },
	{ "loop_queue_rq", "struct loop_cmd", loop_text },
};

void io_command_read(const struct io_call *c, struct io_request *r)
{
	const struct type *request, *behind;
	struct err why;
	uint64_t size;

	if (!r->queue->set ||
	    !field_u64(c->t, "struct blk_mq_tag_set", r->queue->set, "cmd_size", &size, &why) ||
	    !size || !type_find(c->t, "struct request", &request, &why))
		return;
	r->command = r->addr + request->size;
	for (size_t i = 0; r->queue->driver && i < ARRAY_SIZE(drivers); i++) {
		if (strcmp(drivers[i].queue_rq, r->queue->driver) != 0)
			continue;
		r->command_type = drivers[i].type;
		/* a request that no driver has got yet has the command of the one before */
		if (!strcmp(r->state, "idle"))
			return;
		io_types_load(c, r->queue->driver);
		if (!type_find(c->t, drivers[i].type, &behind, &why))
			return;
		if (!drivers[i].text(c, r, &r->command_text, &why)) {
			r->command_text = NULL;
			io_tell(c, &why, "command of request", r->addr);
		}
	}
}
