// Tries what a program may reach on a board and says of each whether it did, one line each:
//
//   probe WHAT…        prints  WHAT yes   or  WHAT no ERRNO
//
//   read:PATH          opens the file for reading
//   write:PATH         makes a file there (and removes it again)
//   device:PATH        opens the device for reading and writing
//   exec:FOLDER        runs a copy of this program from there
//   socket:NAME        makes a socket of that family
//   connect:PATH       connects to the Unix socket there; that nobody listens counts as reached
//   call:NAME          makes that system call, in a way that changes nothing should it be allowed
//
//   probe hold:THREAD  stops that thread alone, as if it hung, until it is killed; prints  hold:THREAD yes  at once
//
// A call counts as reached when anything but a refusal (EPERM, EACCES) answers; "lacking" when the kernel does
// not have it.
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/keyctl.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// Every attempt answers 0 or more when it reached its aim, else the negative errno.

static int answer(long result) { return result < 0 ? -errno : 0; }

static int opened(const char *path, int flags) {
    int file = open(path, flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0700);
    if (file < 0) return -errno;
    close(file);
    return 0;
}

static int written(const char *path) {
    int result = opened(path, O_WRONLY | O_CREAT | O_EXCL);
    if (result == 0) unlink(path);
    return result;
}

static int copied(const char *path) {
    char bytes[65536];
    int from = open("/proc/self/exe", O_RDONLY | O_CLOEXEC), to = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0700);
    if (from < 0 || to < 0) return -errno;
    for (ssize_t count; (count = read(from, bytes, sizeof bytes)) > 0;)
        if (write(to, bytes, (size_t)count) != count) return -EIO;
    close(from);
    close(to);
    return 0;
}

static int executed(const char *folder) {
    char path[4096];
    snprintf(path, sizeof path, "%s/probe-copy", folder);
    int result = copied(path), status = 0;
    if (result == 0) {
        pid_t child = fork();
        if (child == 0) {
            execl(path, path, (char *)NULL);
            _exit(errno);
        }
        waitpid(child, &status, 0);
        result = WIFEXITED(status) ? -WEXITSTATUS(status) : -EIO;
    }
    unlink(path);
    return result;
}

static const struct { const char *name; int family, type, protocol; } families[] = {
    {"unix", AF_UNIX, SOCK_STREAM, 0}, {"bluetooth", AF_BLUETOOTH, SOCK_SEQPACKET, 0},
    {"inet", AF_INET, SOCK_STREAM, 0}, {"inet6", AF_INET6, SOCK_STREAM, 0},
    {"netlink", AF_NETLINK, SOCK_RAW, 0}, {"packet", AF_PACKET, SOCK_DGRAM, 0},
};

static int made(const char *name) {
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        if (strcmp(families[i].name, name) != 0) continue;
        int descriptor = socket(families[i].family, families[i].type | SOCK_CLOEXEC, families[i].protocol);
        if (descriptor < 0) return -errno;
        close(descriptor);
        return 0;
    }
    return -EINVAL;
}

static int connected(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) return -ENAMETOOLONG;
    strcpy(address.sun_path, path);
    int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (descriptor < 0) return -errno;
    int result = answer(connect(descriptor, (struct sockaddr *)&address, sizeof address));
    close(descriptor);
    return result == -ECONNREFUSED || result == -EAGAIN || result == -EPROTOTYPE ? 0 : result;
}

// In a child: some of these change the process.
static int call(const char *name) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (!strcmp(name, "ptrace")) return answer(ptrace(PTRACE_TRACEME, 0, NULL, NULL));
    if (!strcmp(name, "mount")) return answer(mount("none", "/nowhere", "tmpfs", 0, NULL));
    if (!strcmp(name, "clock_settime")) return answer(clock_settime(CLOCK_REALTIME, &now));
    if (!strcmp(name, "reboot")) return answer(syscall(SYS_reboot, 0, 0, 0, NULL));
    if (!strcmp(name, "bpf")) return answer(syscall(SYS_bpf, -1, NULL, 0));
    if (!strcmp(name, "unshare")) return answer(unshare(CLONE_NEWNS));
    if (!strcmp(name, "chroot")) return answer(chroot("/"));
    if (!strcmp(name, "keyctl")) return answer(syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_PROCESS_KEYRING, 1));
    if (!strcmp(name, "perf_event_open")) {
        struct perf_event_attr event = {.type = PERF_TYPE_SOFTWARE, .size = sizeof event};
        return answer(syscall(SYS_perf_event_open, &event, 0, -1, -1, 0));
    }
    if (!strcmp(name, "io_uring_setup")) return answer(syscall(SYS_io_uring_setup, 0, NULL));
    if (!strcmp(name, "init_module")) return answer(syscall(SYS_init_module, NULL, 0, ""));
    if (!strcmp(name, "swapoff")) return answer(syscall(SYS_swapoff, "/nowhere"));
    if (!strcmp(name, "setuid")) return answer(setuid(getuid()));
    if (!strcmp(name, "realtime")) {
        struct sched_param priority = {.sched_priority = 1};
        return answer(sched_setscheduler(0, SCHED_FIFO, &priority));
    }
    if (!strcmp(name, "writable-code")) {
        void *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        return code == MAP_FAILED ? -errno : 0;
    }
    if (!strcmp(name, "signal-1")) return answer(kill(1, 0));
    return -EINVAL;
}

static int called(const char *name) {
    int status;
    pid_t child = fork();
    if (child == 0) _exit(-call(name) & 0xff);
    waitpid(child, &status, 0);
    int result = WIFEXITED(status) ? -WEXITSTATUS(status) : -EPERM;
    return result == -EPERM || result == -EACCES || result == -ENOSYS ? result : 0;
}

// A traced thread that stops, stops alone. Whoever is killed meanwhile must be waited for, or its process stays.
static int held(const char *thread) {
    pid_t number = (pid_t)strtol(thread, NULL, 10);
    int status;
    if (ptrace(PTRACE_ATTACH, number, NULL, NULL) < 0 || waitpid(number, &status, __WALL) < 0) return -errno;
    printf("hold:%s yes\n", thread);
    fflush(stdout);
    while (waitpid(number, &status, __WALL) >= 0 && !WIFEXITED(status) && !WIFSIGNALED(status)) {}
    return 0;
}

int main(int count, char **wanted) {
    if (count == 1) return 0; // the copy that was executed
    if (count == 2 && !strncmp(wanted[1], "hold:", 5)) return held(wanted[1] + 5) != 0;
    for (int i = 1; i < count; i++) {
        const char *colon = strchr(wanted[i], ':'), *object = colon ? colon + 1 : "";
        int result = -EINVAL;
        if (!strncmp(wanted[i], "read:", 5)) result = opened(object, O_RDONLY);
        else if (!strncmp(wanted[i], "write:", 6)) result = written(object);
        else if (!strncmp(wanted[i], "device:", 7)) result = opened(object, O_RDWR);
        else if (!strncmp(wanted[i], "exec:", 5)) result = executed(object);
        else if (!strncmp(wanted[i], "socket:", 7)) result = made(object);
        else if (!strncmp(wanted[i], "connect:", 8)) result = connected(object);
        else if (!strncmp(wanted[i], "call:", 5)) result = called(object);
        if (result == 0) printf("%s yes\n", wanted[i]);
        else printf("%s %s %s\n", wanted[i], result == -ENOSYS ? "lacking" : "no", strerrorname_np(-result));
    }
    return 0;
}
