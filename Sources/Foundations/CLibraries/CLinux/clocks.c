#define _GNU_SOURCE
#include "CLinux.h"
#include <errno.h>
#include <string.h>
#include <stdlib.h>
#include <sys/timex.h>
#include <time.h>

static int64_t nanoseconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t clinux_monotonic_nanoseconds(void) { return nanoseconds(CLOCK_MONOTONIC); }
int64_t clinux_boottime_nanoseconds(void) { return nanoseconds(CLOCK_BOOTTIME); }
int64_t clinux_steady_nanoseconds(void)
{
    return nanoseconds(CLOCK_MONOTONIC_RAW) + nanoseconds(CLOCK_BOOTTIME) - nanoseconds(CLOCK_MONOTONIC);
}
int64_t clinux_realtime_nanoseconds(void) { return nanoseconds(CLOCK_REALTIME); }

int clinux_clock_state_read(clinux_clock_state *state)
{
    struct timex timex;
    memset(&timex, 0, sizeof timex); // modes 0: read only, needs no privilege
    if (adjtimex(&timex) < 0) return -errno;
    state->synchronised = (timex.status & STA_UNSYNC) == 0;
    state->maximum_error_microseconds = timex.maxerror;
    return 0;
}

int64_t clinux_build_seconds(void)
{
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    const char *date = __DATE__; // "Mmm dd yyyy"
    struct tm tm;
    memset(&tm, 0, sizeof tm);
    for (int month = 0; month < 12; month++)
        if (memcmp(date, months + 3 * month, 3) == 0) tm.tm_mon = month;
    tm.tm_mday = atoi(date + 4);
    tm.tm_year = atoi(date + 7) - 1900;
    return (int64_t)timegm(&tm) - 86400;
}
