/* Linked into a compiler that was built with SanitizerCoverage's inline 8-bit counters.

   When WHODUNIT_COUNTERS names a file, the counters live in that file from the first moment on: the
   pages that hold them are replaced by a shared mapping of it. Whatever ends the process (exit, _exit,
   abort, a signal, SIGKILL), what was counted is in the file. Without the variable nothing happens.

   The file: one page of header, then the pages that hold the counters, as they lie in memory. A file
   that is there already and fits is added to: a driver that starts the compiler twice gets the sum.

   Counters have 16 bits (the build's assembler step makes them so): with the 8 bits of the sanitizer, a
   block that ran 256 times, such as a loop over all bytes, would have run 0 times. */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PAGE = 4096, WIDTH = 2 };

struct header {
    char magic[8]; /* "whodunit" */
    uint32_t version;
    uint32_t width;  /* bytes of a counter */
    uint64_t offset; /* of the first counter in the file */
    uint64_t count;  /* of counters */
};

static void fail(const char *what) {
    const char *why = strerror(errno);
    static const char name[] = "whodunit: cannot keep counters: ";
    (void)!write(2, name, sizeof name - 1);
    (void)!write(2, what, strlen(what));
    (void)!write(2, ": ", 2);
    (void)!write(2, why, strlen(why));
    (void)!write(2, "\n", 1);
    _exit(120); /* a run without its counters must not pass for one with them */
}

void __sanitizer_cov_8bit_counters_init(char *start, char *stop) {
    static char *seen;
    const char *path = getenv("WHODUNIT_COUNTERS");
    if (path == NULL || *path == '\0' || start == stop || start == seen)
        return;
    if (seen != NULL) {
        errno = ENOTSUP; /* counters in a shared library as well: they would need a file each */
        fail("a second set of counters");
    }
    seen = start;
    char *first = (char *)((uintptr_t)start & ~(uintptr_t)(PAGE - 1));
    size_t bytes = ((uintptr_t)stop - (uintptr_t)first + PAGE - 1) & ~(size_t)(PAGE - 1);
    struct header header = {{'w', 'h', 'o', 'd', 'u', 'n', 'i', 't'}, 1, WIDTH, PAGE + (uint64_t)(start - first),
                            (uint64_t)(stop - start) / WIDTH};
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    struct stat stat;
    /* The lock lasts as long as the process: two at once would lose counts. */
    if (file < 0 || flock(file, LOCK_EX | LOCK_NB) != 0 || fstat(file, &stat) != 0)
        fail(path);
    int is_new = stat.st_size == 0;
    struct header there;
    if (is_new) {
        /* Blocks are reserved now: a write to a mapping of a full disk would be a SIGBUS. */
        int full = posix_fallocate(file, 0, (off_t)(PAGE + bytes));
        if (full != 0) {
            errno = full;
            fail(path);
        }
        if (pwrite(file, &header, sizeof header, 0) != sizeof header)
            fail(path);
    } else if (pread(file, &there, sizeof there, 0) != sizeof there || memcmp(&there, &header, sizeof header) != 0
               || stat.st_size != (off_t)(PAGE + bytes)) {
        errno = EEXIST;
        fail("the file holds something else");
    }
    /* The first and the last page hold other variables too: they go along, with their values. */
    char *head_end = start, *tail = stop, *end = first + bytes;
    if (pwrite(file, first, (size_t)(head_end - first), PAGE) != head_end - first
        || pwrite(file, tail, (size_t)(end - tail), PAGE + (tail - first)) != end - tail)
        fail(path);
    if (mmap(first, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, PAGE) == MAP_FAILED)
        fail(path);
}

void __sanitizer_cov_pcs_init(const uintptr_t *start, const uintptr_t *stop) {
    (void)start; /* read from the binary, once */
    (void)stop;
}
