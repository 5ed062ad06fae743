/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Damages a file in place, always the same way for a seed, and puts back what was there: "corrupt
 * FILE SEED UNDO", of a part of it "corrupt FILE SEED UNDO FROM BYTES", and "corrupt -u FILE UNDO".
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAGE 4096u

static FILE *file, *undo;
static uint64_t size, state;

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

/* splitmix64: a seed's numbers are the same on every machine. */
static uint64_t number(void)
{
	uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static void at(uint64_t off)
{
	if (fseek(file, (long)off, SEEK_SET))
		fail("seek");
}

static void get(uint64_t off, void *p, size_t n)
{
	at(off);
	if (fread(p, 1, n, file) != n)
		fail("read");
}

static void put(uint64_t off, const void *p, size_t n)
{
	at(off);
	if (fwrite(p, 1, n, file) != n)
		fail("write");
}

/* What is there goes to the undo file first. */
static void change(uint64_t off, const void *p, size_t n)
{
	uint8_t was[PAGE];
	uint64_t head[2] = { off, n };

	get(off, was, n);
	if (fwrite(head, sizeof(head), 1, undo) != 1 || fwrite(was, 1, n, undo) != n)
		fail("undo");
	put(off, p, n);
}

/* Where n bytes are: a quarter of all places is near the start, where headers lie. */
static uint64_t place(size_t n)
{
	uint64_t within = size - n + 1;

	if (number() % 4 == 0 && within > 65536)
		within = 65536;
	return number() % within;
}

static void noise(uint64_t off, size_t n)
{
	uint8_t bytes[PAGE];

	for (size_t i = 0; i < n; i++)
		bytes[i] = (uint8_t)number();
	change(off, bytes, n);
}

static void bits(unsigned n)
{
	while (n--) {
		uint64_t off = place(1);
		uint8_t byte;

		get(off, &byte, 1);
		byte ^= (uint8_t)(1u << number() % 8);
		change(off, &byte, 1);
	}
}

static void words(unsigned n)
{
	static const uint32_t odd[] = {
		0, 1, UINT32_MAX, INT32_MAX, UINT32_C(1) << 31, 1u << 20, 0xcccccccc
	};

	while (n--) {
		uint32_t word = odd[number() % (sizeof(odd) / sizeof(odd[0]))];

		change(place(4) / 4 * 4, &word, 4);
	}
}

static void page_copied(size_t n)
{
	uint8_t bytes[PAGE];

	get(place(n), bytes, n);
	change(place(n), bytes, n);
}

static void damage(void)
{
	static const uint8_t zeroes[PAGE];
	size_t page = size < 4 * PAGE ? size / 4 : PAGE;
	unsigned kind = (unsigned)(number() % 8);

	printf("kind %u\n", kind);
	switch (kind) {
	case 0:
		bits((unsigned)(1 + number() % 64));
		break;
	case 1:
		noise(place(page < 64 ? page : 64), page < 64 ? page : 64);
		break;
	case 2: /* everywhere a little */
		for (uint64_t n = 1 + size / 65536; n--;)
			noise(place(1), 1);
		break;
	case 3:
		noise(place(page), page);
		break;
	case 4:
		change(place(page), zeroes, page);
		break;
	case 5:
		page_copied(page);
		break;
	case 6:
		words(16);
		break;
	default:
		noise(number() % (size < PAGE ? size - 15 : PAGE - 15), 16);
	}
}

/* One byte in 256 of a part. */
static void damage_part(uint64_t from, uint64_t n)
{
	for (uint64_t i = 0; i + 256 <= n; i += 256)
		noise(from + i + number() % 256, 1);
}

/* The last change is put back first, for they may lie in each other. */
static void restore(void)
{
	long *changes = NULL;
	size_t n = 0;
	uint64_t head[2];
	uint8_t was[PAGE];

	for (; fread(head, sizeof(head), 1, undo) == 1; n++) {
		changes = realloc(changes, (n + 1) * sizeof(*changes));
		if (!changes)
			fail("memory");
		changes[n] = ftell(undo) - (long)sizeof(head);
		fseek(undo, (long)head[1], SEEK_CUR);
	}
	while (n--) {
		fseek(undo, changes[n], SEEK_SET);
		if (fread(head, sizeof(head), 1, undo) != 1 || head[1] > PAGE ||
		    fread(was, 1, head[1], undo) != head[1])
			fail("undo");
		put(head[0], was, head[1]);
	}
	free(changes);
}

int main(int argc, char **argv)
{
	int back = argc == 4 && !strcmp(argv[1], "-u");

	if (argc != 4 && argc != 6) {
		fprintf(stderr,
			"usage: corrupt FILE SEED UNDO [FROM BYTES] | corrupt -u FILE UNDO\n");
		return 2;
	}
	file = fopen(argv[1 + back], "r+");
	undo = fopen(argv[3], back ? "r" : "w");
	if (!file || !undo)
		fail(argv[1 + back]);
	fseek(file, 0, SEEK_END);
	size = (uint64_t)ftell(file);
	if (size < 64) {
		fprintf(stderr, "corrupt: '%s' is too small\n", argv[1 + back]);
		return 1;
	}
	if (back) {
		restore();
	} else {
		state = strtoull(argv[2], NULL, 0);
		if (argc == 6)
			damage_part(strtoull(argv[4], NULL, 0), strtoull(argv[5], NULL, 0));
		else
			damage();
	}
	return fclose(file) || fclose(undo);
}
