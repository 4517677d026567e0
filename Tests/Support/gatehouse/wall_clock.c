// Preloaded into one program: its wall clock is ahead by the seconds that the file named in WALL_CLOCK says. Its other clocks are the machine's, as
// they are where a time server lies. KERNEL_CLOCK says whether the kernel calls that clock synchronised: "yes" or "no"; without it the kernel does.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

static long ahead(void)
{
    const char *path = getenv("WALL_CLOCK");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) return 0;
    char text[32] = {0};
    long length = read(file, text, sizeof text - 1);
    close(file);
    return length > 0 ? strtol(text, NULL, 10) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
    int result = (int)syscall(SYS_clock_gettime, clock, time);
    if (!result && clock == CLOCK_REALTIME) time->tv_sec += ahead();
    return result;
}

int adjtimex(struct timex *state)
{
    const char *word = getenv("KERNEL_CLOCK");
    int result = (int)syscall(SYS_adjtimex, state);
    if (word && result >= 0) state->status = strcmp(word, "yes") ? state->status | STA_UNSYNC : state->status & ~STA_UNSYNC;
    return result;
}
