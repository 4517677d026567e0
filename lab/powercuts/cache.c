/* Preloaded into the board's kernel: the disk gets a cache of its own that a cut empties. What is written stays
 * here until the kernel asks for a flush, as on a real disk; a quarter of it, chosen by chance, goes on to the
 * medium at once, so that what a cut leaves behind is in no order. FILE is named by DISK_FILE, the numbers
 * begin with DISK_SEED.
 *
 * Comes from the kernel's own thread, which knows nothing of the C library's: nothing here may allocate.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { sector = 512, most_sectors = 1 << 18 };

static ssize_t (*next_pwrite)(int, const void *, size_t, off_t);
static ssize_t (*next_pread)(int, void *, size_t, off_t);
static int (*next_fdatasync)(int);
static int (*next_fsync)(int);
static struct stat disk;
static uint8_t *cached, *dirty;
static uint64_t chance;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("DISK_FILE"), *seed = getenv("DISK_SEED");
    next_pwrite = (ssize_t (*)(int, const void *, size_t, off_t))dlsym(RTLD_NEXT, "pwrite64");
    next_pread = (ssize_t (*)(int, void *, size_t, off_t))dlsym(RTLD_NEXT, "pread64");
    next_fdatasync = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
    next_fsync = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
    chance = seed ? strtoull(seed, NULL, 10) | 1 : 1;
    if (!path || stat(path, &disk) != 0 || disk.st_size > (off_t)sector * most_sectors) disk.st_ino = 0;
    int kind = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    cached = mmap(NULL, (size_t)sector * most_sectors, PROT_READ | PROT_WRITE, kind, -1, 0);
    dirty = mmap(NULL, most_sectors, PROT_READ | PROT_WRITE, kind, -1, 0);
    if (cached == MAP_FAILED || dirty == MAP_FAILED) abort();
}

static int is_disk(int file, size_t count, off_t at) {
    struct stat found;
    if (!disk.st_ino || at % sector != 0 || count % sector != 0 || fstat(file, &found) != 0) return 0;
    return found.st_ino == disk.st_ino && found.st_dev == disk.st_dev && at + (off_t)count <= (off_t)sector * most_sectors;
}

/* xorshift64: all that is asked for is that it differs from run to run and not within one. */
static int goes_on_at_once(void) {
    chance ^= chance << 13;
    chance ^= chance >> 7;
    chance ^= chance << 17;
    return (chance >> 32) % 4 == 0;
}

ssize_t pwrite64(int file, const void *data, size_t count, off_t at) {
    if (!is_disk(file, count, at)) return next_pwrite(file, data, count, at);
    int at_once = goes_on_at_once();
    memcpy(cached + at, data, count);
    memset(dirty + at / sector, !at_once, count / sector);
    return at_once ? next_pwrite(file, data, count, at) : (ssize_t)count;
}

ssize_t pread64(int file, void *data, size_t count, off_t at) {
    ssize_t got = next_pread(file, data, count, at);
    if (got <= 0 || !is_disk(file, count, at)) return got;
    for (ssize_t place = 0; place < got; place += sector)
        if (dirty[(at + place) / sector]) memcpy((uint8_t *)data + place, cached + at + place, sector);
    return got;
}

static void flush(int file) {
    if (!is_disk(file, 0, 0)) return;
    for (int number = 0; number < most_sectors; number++) {
        if (!dirty[number]) continue;
        off_t at = (off_t)number * sector;
        if (next_pwrite(file, cached + at, sector, at) == sector) dirty[number] = 0;
    }
}

int fdatasync(int file) {
    flush(file);
    return next_fdatasync(file);
}

int fsync(int file) {
    flush(file);
    return next_fsync(file);
}
