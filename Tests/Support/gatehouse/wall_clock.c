// Preloaded into one daemon: its wall clock is ahead by the seconds that the file named in WALL_CLOCK says. Its other clocks are the machine's, as
// they are where a time server lies. With WALL_CLOCK_ALONE the kernel says of it that nothing has set it.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
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

int adjtimex(struct timex *timex)
{
    int result = (int)syscall(SYS_adjtimex, timex);
    if (result < 0 || !getenv("WALL_CLOCK_ALONE")) return result;
    timex->status |= STA_UNSYNC;
    return TIME_ERROR;
}
