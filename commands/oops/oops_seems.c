/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a file without a report seems to be, by its first bytes, so that its owner knows what to
 * give instead. */
#include <string.h>

#include "commands/oops/oops_record.h"

#define HEAD ((size_t)4 << 10)

const char oops_boot_image[] =
	"a boot image of a kernel: lines are in the vmlinux that it was made of";

/* The formats' own documents, and file(1)'s words for them. The first that fits is taken. */
static const struct {
	const char *magic, *what;
	size_t n, at;
} formats[] = {
	{ "LPKSHHRH", "a journal: journalctl -k --file prints its text", 8, 0 },
	{ "ElfFile\0", "a log of Windows (evtx)", 8, 0 },
	{ "PAGEDU64", "a dump of Windows", 8, 0 },
	{ "PAGEDUMP", "a dump of Windows", 8, 0 },
	{ "MDMP\x93\xa7", "a dump of a program of Windows", 6, 0 },
	{ "\177ELF", "a program, an object or a dump of one", 4, 0 },
	{ "\xca\xfe\xba\xbe", "a program (Java, or of macOS)", 4, 0 },
	{ "HdrS", oops_boot_image, 4, 0x202 },
	{ "ARM\x64", oops_boot_image, 4, 56 },
	{ "\xd0\x0d\xfe\xed", "a device tree (dtb)", 4, 0 },
	{ "EMiL", "an image of memory (LiME)", 4, 0 },
	{ "AVML", "an image of memory (AVML)", 4, 0 },
	{ "QFI\xfb", "a disk of a virtual machine (qcow2)", 4, 0 },
	{ "KDMV", "a disk of a virtual machine (VMDK)", 4, 0 },
	{ "\x53\xef", "a file system (ext2, ext3 or ext4)", 2, 0x438 },
	{ "XFSB", "a file system (XFS)", 4, 0 },
	{ "hsqs", "a file system (squashfs)", 4, 0 },
	{ "SQLite format 3", "a database (SQLite)", 15, 0 },
	{ "\xd4\xc3\xb2\xa1", "a recording of a network (pcap)", 4, 0 },
	{ "\xa1\xb2\xc3\xd4", "a recording of a network (pcap)", 4, 0 },
	{ "\x4d\x3c\xb2\xa1", "a recording of a network (pcap)", 4, 0 },
	{ "\x0a\x0d\x0d\x0a", "a recording of a network (pcapng)", 4, 0 },
	{ "PERFILE2", "a recording of perf", 8, 0 },
	{ "%PDF", "a document (PDF)", 4, 0 },
	{ "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "a document or a mail (of Microsoft Office)", 8, 0 },
	{ "\x89PNG", "a picture (PNG)", 4, 0 },
	{ "\xff\xd8\xff", "a picture (JPEG)", 3, 0 },
	{ "GIF8", "a picture (GIF)", 4, 0 },
	{ "WEBP", "a picture (WebP)", 4, 8 },
	{ "ftyp", "a film or a picture (MP4, HEIC)", 4, 4 },
	{ "\x1a\x45\xdf\xa3", "a film (Matroska, WebM)", 4, 0 },
	{ "II*\0", "a picture (TIFF)", 4, 0 },
	{ "MM\0*", "a picture (TIFF)", 4, 0 },
	{ "\xed\xab\xee\xdb", "a package (RPM)", 4, 0 },
	{ "!<arch>", "an archive: a package or a library", 7, 0 },
	{ "7z\xbc\xaf\x27\x1c", "an archive (7z): unpack it first", 6, 0 },
	{ "Rar!\x1a\x07", "an archive (RAR): unpack it first", 6, 0 },
	{ "070701", "an archive (cpio): unpack it first", 6, 0 },
	{ "]\0\0\x80\0", "compressed with lzma: unpack it first (unlzma)", 5, 0 },
	{ "ustar", "an archive (tar), whose files were read", 5, 257 },
	{ "BM", "a picture (BMP)", 2, 0 },
	{ "MZ", "a program of Windows or EFI", 2, 0 },
};

/* Nothing but one byte? */
static bool is_one_byte(struct span head)
{
	size_t n = head.n < HEAD ? head.n : HEAD;

	return n > 1 && !memcmp(head.p, head.p + 1, n - 1);
}

const char *oops_seems(struct span head)
{
	if (!head.n)
		return "empty";
	if (is_one_byte(head) && (!head.p[0] || head.p[0] == 0xff))
		return head.p[0] ? "erased: its bytes are all ff"
				 : "erased: its bytes are all zero";
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		if (head.n >= formats[i].at + formats[i].n &&
		    !memcmp(head.p + formats[i].at, formats[i].magic, formats[i].n))
			return formats[i].what;
	return "data, no text";
}
