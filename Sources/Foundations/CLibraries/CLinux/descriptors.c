#define _GNU_SOURCE
#include "CLinux.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

_Static_assert(CLINUX_READABLE == EPOLLIN && CLINUX_READABLE == POLLIN, "one value for both");
_Static_assert(CLINUX_WRITABLE == EPOLLOUT && CLINUX_WRITABLE == POLLOUT, "one value for both");
_Static_assert(CLINUX_FAILED == EPOLLERR && CLINUX_FAILED == POLLERR, "one value for both");
_Static_assert(CLINUX_HUNG_UP == EPOLLHUP && CLINUX_HUNG_UP == POLLHUP, "one value for both");
_Static_assert(CLINUX_PEER_CLOSED == EPOLLRDHUP && CLINUX_PEER_CLOSED == POLLRDHUP, "one value for both");

const char *clinux_error_text(int number)
{
    const char *text = strerrordesc_np(number);
    return text ? text : "unknown error";
}

static int answer(int result) { return result < 0 ? -errno : result; }

int clinux_epoll_create(void) { return answer(epoll_create1(EPOLL_CLOEXEC)); }

static int control(int epoll, int operation, int descriptor, uint32_t events)
{
    struct epoll_event event;
    memset(&event, 0, sizeof event);
    event.events = events;
    event.data.fd = descriptor;
    return answer(epoll_ctl(epoll, operation, descriptor, &event));
}

int clinux_epoll_add(int epoll, int descriptor, uint32_t events)
{
    return control(epoll, EPOLL_CTL_ADD, descriptor, events);
}

int clinux_epoll_change(int epoll, int descriptor, uint32_t events)
{
    return control(epoll, EPOLL_CTL_MOD, descriptor, events);
}

int clinux_epoll_remove(int epoll, int descriptor) { return control(epoll, EPOLL_CTL_DEL, descriptor, 0); }

int clinux_epoll_wait(int epoll, clinux_ready *ready, int capacity, int timeout_milliseconds)
{
    struct epoll_event events[64];
    if (capacity > 64) capacity = 64;
    int count = epoll_wait(epoll, events, capacity, timeout_milliseconds);
    if (count < 0) return errno == EINTR ? 0 : -errno;
    for (int i = 0; i < count; i++) {
        ready[i].descriptor = events[i].data.fd;
        ready[i].events = events[i].events;
    }
    return count;
}

int clinux_poll(int descriptor, uint32_t events, int timeout_milliseconds)
{
    struct pollfd one = { .fd = descriptor, .events = (short)events, .revents = 0 };
    int count = poll(&one, 1, timeout_milliseconds);
    if (count < 0) return errno == EINTR ? 0 : -errno;
    return count == 0 ? 0 : (int)(unsigned short)one.revents;
}

int clinux_poll_any(const int *descriptors, int count, int timeout_milliseconds)
{
    struct pollfd all[8];
    if (count > 8) return -EINVAL;
    for (int i = 0; i < count; i++) all[i] = (struct pollfd){ .fd = descriptors[i], .events = POLLIN };
    int ready = poll(all, (nfds_t)count, timeout_milliseconds);
    if (ready < 0) return errno == EINTR ? 0 : -errno;
    return ready;
}

int clinux_eventfd_create(void) { return answer(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)); }

int clinux_eventfd_raise(int eventfd)
{
    uint64_t one = 1;
    // EAGAIN means the counter is full: the wake-up is already there.
    if (write(eventfd, &one, sizeof one) < 0 && errno != EAGAIN) return -errno;
    return 0;
}

static int drain(int descriptor)
{
    uint64_t count;
    if (read(descriptor, &count, sizeof count) < 0 && errno != EAGAIN) return -errno;
    return 0;
}

int clinux_eventfd_clear(int eventfd) { return drain(eventfd); }

int clinux_timerfd_create(void) { return answer(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK)); }

int clinux_timerfd_arm(int timerfd, int64_t monotonic_nanoseconds)
{
    struct itimerspec when;
    memset(&when, 0, sizeof when);
    when.it_value.tv_sec = monotonic_nanoseconds / 1000000000;
    when.it_value.tv_nsec = monotonic_nanoseconds % 1000000000;
    return answer(timerfd_settime(timerfd, TFD_TIMER_ABSTIME, &when, NULL));
}

int clinux_timerfd_clear(int timerfd) { return drain(timerfd); }

int clinux_wall_timerfd_create(void) { return answer(timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK)); }

int clinux_wall_timerfd_arm(int timerfd, int64_t unix_seconds)
{
    struct itimerspec when;
    memset(&when, 0, sizeof when);
    // Zero would disarm it.
    when.it_value.tv_sec = unix_seconds > 0 ? unix_seconds : 1;
    return answer(timerfd_settime(timerfd, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &when, NULL));
}

static void fill(sigset_t *set, const int *signals, int count)
{
    sigemptyset(set);
    for (int i = 0; i < count; i++) sigaddset(set, signals[i]);
}

int clinux_signals_block(const int *signals, int count)
{
    sigset_t set;
    fill(&set, signals, count);
    return -pthread_sigmask(SIG_BLOCK, &set, NULL);
}

int clinux_signalfd_create(const int *signals, int count)
{
    sigset_t set;
    fill(&set, signals, count);
    return answer(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
}

int clinux_signalfd_next(int descriptor)
{
    struct signalfd_siginfo info;
    ssize_t length = read(descriptor, &info, sizeof info);
    if (length < 0) return -errno;
    return length == (ssize_t)sizeof info ? (int)info.ssi_signo : -EIO;
}

void clinux_signal_ignore(int number) { signal(number, SIG_IGN); }

int clinux_signal_is_blocked(int number)
{
    sigset_t set;
    pthread_sigmask(SIG_BLOCK, NULL, &set);
    return sigismember(&set, number) == 1;
}

int clinux_open_beneath(int folder, const char *path)
{
    const struct open_how how = { .flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY,
                                  .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS };
    return answer((int)syscall(SYS_openat2, folder, path, &how, sizeof how));
}

int clinux_open_unnamed(int folder, uint32_t mode)
{
    // It gets its name by this folder.
    if (access("/proc/self/fd", X_OK) != 0) return -EOPNOTSUPP;
    int file;
    do file = openat(folder, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
    while (file < 0 && errno == EINTR);
    return answer(file);
}

int clinux_link_unnamed(int file, int folder, const char *name)
{
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    return answer(linkat(AT_FDCWD, path, folder, name, AT_SYMLINK_FOLLOW));
}

int clinux_rename_new(int folder, const char *from, const char *to)
{
    int failure = answer(renameat2(folder, from, folder, to, RENAME_NOREPLACE));
    if (failure != -EINVAL) return failure;
    // The file system does not know the flag.
    failure = answer(linkat(folder, from, folder, to, 0));
    return failure < 0 ? failure : answer(unlinkat(folder, from, 0));
}
