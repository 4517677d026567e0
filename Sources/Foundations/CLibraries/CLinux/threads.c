#define _GNU_SOURCE
#include "CLinux.h"
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

struct clinux_thread {
    pthread_t thread;
    char name[16]; // the kernel keeps 15 bytes and a zero
    void (*body)(void *);
    void *context;
};

static void *run(void *argument)
{
    clinux_thread *thread = argument;
    pthread_setname_np(pthread_self(), thread->name);
    thread->body(thread->context);
    return NULL;
}

clinux_thread *clinux_thread_start(const char *name, size_t stack_bytes, void (*body)(void *), void *context,
                                   int *error)
{
    clinux_thread *thread = calloc(1, sizeof *thread);
    if (thread == NULL) { *error = -ENOMEM; return NULL; }
    strncpy(thread->name, name, sizeof thread->name - 1);
    thread->body = body;
    thread->context = context;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    int wrong = pthread_attr_setstacksize(&attributes, stack_bytes);
    if (!wrong) wrong = pthread_create(&thread->thread, &attributes, run, thread);
    pthread_attr_destroy(&attributes);
    *error = -wrong;
    if (!wrong) return thread;
    free(thread);
    return NULL;
}

void clinux_thread_join(clinux_thread *thread)
{
    pthread_join(thread->thread, NULL);
}

void clinux_thread_release(clinux_thread *thread, int joined)
{
    if (joined) {
        free(thread);
    } else {
        pthread_detach(thread->thread); // the thread may yet read what the handle holds: 64 bytes stay behind
    }
}

int clinux_thread_is_current(const clinux_thread *thread) { return pthread_equal(thread->thread, pthread_self()) != 0; }

int clinux_thread_signal(const clinux_thread *thread, int signal) { return -pthread_kill(thread->thread, signal); }

void clinux_thread_name(char *name16)
{
    if (pthread_getname_np(pthread_self(), name16, 16) != 0) name16[0] = 0;
}

// Linux keeps both per thread. The names are those of linux/ioprio.h, which older headers do not have.
enum { IOPRIO_WHO_ONE = 1, IOPRIO_IDLE = 3 << 13 };

int clinux_thread_give_way(void)
{
    if (setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), 10) != 0) return -errno;
    return syscall(SYS_ioprio_set, IOPRIO_WHO_ONE, 0, IOPRIO_IDLE) != 0 ? -errno : 0;
}

static _Thread_local void *current_loop;

void *clinux_thread_loop(void) { return current_loop; }
void clinux_thread_set_loop(void *loop) { current_loop = loop; }

struct clinux_monitor {
    pthread_mutex_t mutex;
    pthread_cond_t condition;
};

clinux_monitor *clinux_monitor_create(void)
{
    clinux_monitor *monitor = calloc(1, sizeof *monitor);
    if (monitor == NULL) abort(); // a gate that cannot get 100 bytes is better restarted
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&monitor->mutex, NULL);
    pthread_cond_init(&monitor->condition, &attributes);
    pthread_condattr_destroy(&attributes);
    return monitor;
}

void clinux_monitor_destroy(clinux_monitor *monitor)
{
    pthread_cond_destroy(&monitor->condition);
    pthread_mutex_destroy(&monitor->mutex);
    free(monitor);
}

void clinux_monitor_lock(clinux_monitor *monitor) { pthread_mutex_lock(&monitor->mutex); }
void clinux_monitor_unlock(clinux_monitor *monitor) { pthread_mutex_unlock(&monitor->mutex); }
void clinux_monitor_wake_all(clinux_monitor *monitor) { pthread_cond_broadcast(&monitor->condition); }
void clinux_monitor_wait(clinux_monitor *monitor) { pthread_cond_wait(&monitor->condition, &monitor->mutex); }

int clinux_monitor_wait_until(clinux_monitor *monitor, int64_t monotonic_nanoseconds)
{
    // Before the clock began is past too; pthread_cond_timedwait would call it invalid and never wait.
    if (monotonic_nanoseconds < 0) monotonic_nanoseconds = 0;
    struct timespec when = { .tv_sec = monotonic_nanoseconds / 1000000000,
                             .tv_nsec = monotonic_nanoseconds % 1000000000 };
    return pthread_cond_timedwait(&monitor->condition, &monitor->mutex, &when) == ETIMEDOUT ? 0 : 1;
}

int clinux_heap_share(void)
{
    return mallopt(M_ARENA_MAX, 1);
}

void clinux_heap_trim(void)
{
    malloc_trim(0);
}

int64_t clinux_heap_in_use(void)
{
    struct mallinfo2 heap = mallinfo2();
    return (int64_t)(heap.uordblks + heap.hblkhd);
}
