/* Preloaded into pcscd: it looks for cards every 30 ms instead of every 400 ms, so that taps follow
 * one another closely enough for a random moment to fall into one.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>

int nanosleep(const struct timespec *wanted, struct timespec *rest) {
    static int (*next)(const struct timespec *, struct timespec *);
    struct timespec shorter = {0, 30000000};
    if (!next) next = (int (*)(const struct timespec *, struct timespec *))dlsym(RTLD_NEXT, "nanosleep");
    int is_poll = wanted->tv_sec == 0 && wanted->tv_nsec == 400000000;
    return next(is_poll ? &shorter : wanted, rest);
}
