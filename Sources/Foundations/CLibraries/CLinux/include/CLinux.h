// What Linux offers and Swift's Glibc module does not: one small, prefixed set of functions.
//
// One convention: every function that can fail answers 0 or a non-negative result when it worked
// and the negative errno when it did not, so that nobody reads errno after Swift has run code of
// its own in between. Waiting functions may answer early with 0 when a signal came.
#pragma once
#include <stdint.h>
#include <stddef.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

// The English description of an errno, never NULL, never to be freed.
const char *clinux_error_text(int number);

// Waiting for many descriptors --------------------------------------------------------------

enum { CLINUX_READABLE = 0x001, CLINUX_WRITABLE = 0x004, CLINUX_FAILED = 0x008, CLINUX_HUNG_UP = 0x010,
       CLINUX_PEER_CLOSED = 0x2000 };

typedef struct {
    int32_t descriptor;
    uint32_t events; // CLINUX_READABLE and so on
} clinux_ready;

int clinux_epoll_create(void);
int clinux_epoll_add(int epoll, int descriptor, uint32_t events);
int clinux_epoll_change(int epoll, int descriptor, uint32_t events);
int clinux_epoll_remove(int epoll, int descriptor);
// Answers how many entries of `ready` are filled (at most 64 per call). timeout -1 waits for ever.
int clinux_epoll_wait(int epoll, clinux_ready *ready, int capacity, int timeout_milliseconds);

// Waits for one descriptor. Answers the events, 0 after the time-out.
int clinux_poll(int descriptor, uint32_t events, int timeout_milliseconds);
// Waits until one of at most 8 descriptors is readable, failed or hung up. Answers their number, 0 after the time-out.
int clinux_poll_any(const int *descriptors, int count, int timeout_milliseconds);

// A wake-up that any thread may send and that never blocks ---------------------------------

int clinux_eventfd_create(void);
int clinux_eventfd_raise(int eventfd);
int clinux_eventfd_clear(int eventfd);

// A timer as a descriptor, on the monotonic clock ------------------------------------------

int clinux_timerfd_create(void);
// Rings once at that monotonic time; 0 stops it.
int clinux_timerfd_arm(int timerfd, int64_t monotonic_nanoseconds);
int clinux_timerfd_clear(int timerfd);

// One by the wall clock, which also becomes readable when somebody sets that clock, as long as it is armed.
int clinux_wall_timerfd_create(void);
int clinux_wall_timerfd_arm(int timerfd, int64_t unix_seconds);

// Signals ------------------------------------------------------------------------------------

// Blocks the signals in the calling thread and in every thread it starts afterwards.
int clinux_signals_block(const int *signals, int count);
int clinux_signalfd_create(const int *signals, int count);
// Answers the number of the next signal, -EAGAIN when there is none.
int clinux_signalfd_next(int signalfd);
void clinux_signal_ignore(int signal);
// The mask of the calling thread: 1 when the signal is blocked in it.
int clinux_signal_is_blocked(int signal);

// Local sockets ------------------------------------------------------------------------------

typedef struct {
    int32_t process;
    uint32_t user;
    uint32_t group;
} clinux_peer;

enum { CLINUX_STREAM = 1, CLINUX_DATAGRAM = 2 };

// A Unix socket, closed on exec; blocking only if asked for.
int clinux_unix_socket(int kind, int blocking);
int clinux_unix_bind(int descriptor, const char *path);
int clinux_unix_connect(int descriptor, const char *path);
// The same to what NOTIFY_SOCKET names: a path, or an abstract name after '@' (sd_notify(3)).
int clinux_notify_connect(int descriptor, const char *path);
// A connection, closed on exec and not blocking.
int clinux_accept(int descriptor);
int clinux_peer_of(int descriptor, clinux_peer *peer);
// Fills `groups` with the peer's supplementary groups and answers their number.
int clinux_peer_groups(int descriptor, uint32_t *groups, int capacity);
// send without SIGPIPE; the answer may be less than `length`.
ssize_t clinux_send(int descriptor, const void *bytes, size_t length);
ssize_t clinux_receive(int descriptor, void *bytes, size_t length);
// The same at once or not at all (-EAGAIN), also where somebody else, who has the socket too, lets it wait.
ssize_t clinux_try_send(int descriptor, const void *bytes, size_t length);
ssize_t clinux_try_receive(int descriptor, void *bytes, size_t length);
// Whether a descriptor is a stream socket of this machine (AF_UNIX).
int clinux_is_unix_stream(int descriptor);
// The same with an open file that travels along (SCM_RIGHTS). `*file` is -1 when none came; otherwise
// it is the receiver's own, closed on exec.
ssize_t clinux_send_with_file(int descriptor, const void *bytes, size_t length, int file);
ssize_t clinux_receive_with_file(int descriptor, void *bytes, size_t length, int *file);

// What a connection that was begun without waiting has come to: 0, or the negative errno.
int clinux_socket_error(int descriptor);

// Bluetooth ----------------------------------------------------------------------------------

// Addresses have six bytes, the least significant one first; types are 1 (public) and 2 (random). No socket blocks.
int clinux_l2cap_socket(void);
int clinux_l2cap_bind(int descriptor, const uint8_t *address, uint8_t type, uint16_t channel);
// -EINPROGRESS while the connection is on its way.
int clinux_l2cap_connect(int descriptor, const uint8_t *address, uint8_t type, uint16_t channel);
// A socket at the kernel's management of adapters.
int clinux_bluetooth_control_socket(void);

// Pseudo-terminals ---------------------------------------------------------------------------

// A pair of terminals: the answer is this side of it and does not block, `*device` the other one, which passes bytes as they
// are. `path`, at least 64 bytes, is where programs find the other side. Both are closed on exec.
int clinux_terminal_create(int *device, char *path, size_t capacity);
// read and write, begun anew after a signal, with the negative errno.
ssize_t clinux_read(int descriptor, void *bytes, size_t length);
ssize_t clinux_write(int descriptor, const void *bytes, size_t length);

// Threads ------------------------------------------------------------------------------------

typedef struct clinux_thread clinux_thread;

// Starts a named thread (at most 15 bytes of the name are kept). NULL with *error set to the
// negative errno when it cannot be started.
clinux_thread *clinux_thread_start(const char *name, size_t stack_bytes, void (*body)(void *), void *context,
                                   int *error);
// Waits for its end; at most once. The handle stays good.
void clinux_thread_join(clinux_thread *thread);
// Gives up a handle: of a joined thread it frees the memory, any other one ends by itself.
void clinux_thread_release(clinux_thread *thread, int joined);
int clinux_thread_is_current(const clinux_thread *thread);
int clinux_thread_signal(const clinux_thread *thread, int signal);
void clinux_thread_name(char *name16); // name of the calling thread, 16 bytes with the closing zero
// The calling thread gives way to all others from now on: processor (nice 10) and disk (idle class, ioprio_set(2)).
int clinux_thread_give_way(void);
// What the calling thread keeps for itself: one pointer, NULL at first.
void *clinux_thread_loop(void);
void clinux_thread_set_loop(void *loop);

// Programs -----------------------------------------------------------------------------------

// From now on this process leaves no core, wherever the kernel would put it; 0 when the kernel does not take it.
int clinux_leave_no_core(void);
// Starts the program of this process once more, with one argument or NULL for none, with that open descriptor under that number. Answers
// the number of the new process, which is a child of this one.
int clinux_start_again(int descriptor, int number, const char *argument, const char *second);
// Starts a program with one argument, this process's environment and a pipe each way: what is written to `*to`, which does not block, is its
// input, and its output is read from `*from`. Answers the number of the new process.
int clinux_start_child(const char *program, const char *argument, int *to, int *from);

// Memory ------------------------------------------------------------------------------------

// All threads allocate from one heap from now on. 0 when the C library would not.
int clinux_heap_share(void);
// Gives back to the system what the heap holds and nobody uses.
void clinux_heap_trim(void);
// Bytes that are allocated at this moment, in a heap that all threads share.
int64_t clinux_heap_in_use(void);

// A mutex with a condition that waits on the monotonic clock ------------------------------

typedef struct clinux_monitor clinux_monitor;

clinux_monitor *clinux_monitor_create(void);
void clinux_monitor_destroy(clinux_monitor *monitor);
void clinux_monitor_lock(clinux_monitor *monitor);
void clinux_monitor_unlock(clinux_monitor *monitor);
void clinux_monitor_wake_all(clinux_monitor *monitor);
void clinux_monitor_wait(clinux_monitor *monitor);
// 1 when woken, 0 when that monotonic time has come. Wake-ups without a cause happen.
int clinux_monitor_wait_until(clinux_monitor *monitor, int64_t monotonic_nanoseconds);

// Clocks ---------------------------------------------------------------------------------------

int64_t clinux_monotonic_nanoseconds(void);
// Like the monotonic clock, and counting while the machine sleeps.
int64_t clinux_boottime_nanoseconds(void);
// Since boot by the oscillator alone, also counting sleep: nobody steers it (CLOCK_MONOTONIC_RAW).
int64_t clinux_steady_nanoseconds(void);
int64_t clinux_realtime_nanoseconds(void);

typedef struct {
    int32_t synchronised; // 1 unless STA_UNSYNC is set
    int64_t maximum_error_microseconds;
} clinux_clock_state;

int clinux_clock_state_read(clinux_clock_state *state);

// Midnight (UTC) one day before this library was compiled, in UNIX seconds. The day is taken
// off because the compiler names the day in its own time zone.
int64_t clinux_build_seconds(void);

// Files ----------------------------------------------------------------------------------------

enum { CLINUX_LOCK_TAKEN = 1, CLINUX_LOCK_HELD_BY_OTHER = 0 };

// flock without waiting.
int clinux_file_lock(int descriptor);
// Opens a file below a folder to read it, without waiting and closed on exec. No name leads out of the folder (openat2, RESOLVE_BENEATH),
// the last part of the path is no link.
int clinux_open_beneath(int folder, const char *path);
// A file without a name in a folder, closed on exec (O_TMPFILE); -EOPNOTSUPP, -EISDIR or -EINVAL where there are none.
int clinux_open_unnamed(int folder, uint32_t mode);
// Gives it a name in a folder; -EEXIST where something has it.
int clinux_link_unnamed(int file, int folder, const char *name);
// Gives a file another name in its folder; -EEXIST where something has it.
int clinux_rename_new(int folder, const char *from, const char *to);
// 1 when a path, links followed, has an access control list besides its permission bits (acl(5)).
int clinux_has_access_list(const char *path);
// The numeric id of a group, -ENOENT when there is none of that name.
int64_t clinux_group_id(const char *name);

// The number of a user, and of its primary group in `group`, or -ENOENT.
int64_t clinux_user_id(const char *name, uint32_t *group);

#ifdef __cplusplus
}
#endif
