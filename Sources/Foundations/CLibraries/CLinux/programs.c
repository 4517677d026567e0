#define _GNU_SOURCE
#include "CLinux.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <spawn.h>
#include <unistd.h>

int clinux_start_again(int descriptor, int number, const char *argument, const char *second)
{
    char program[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length < 0) return -errno;
    program[length] = 0;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    // Also where the numbers are the same: the new one is not closed on exec.
    posix_spawn_file_actions_adddup2(&actions, descriptor, number);
    char *arguments[] = { program, (char *)argument, argument ? (char *)second : NULL, NULL };
    pid_t child = 0;
    int wrong = posix_spawn(&child, program, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return wrong ? -wrong : (int)child;
}

static int start_with(const char *program, const char *argument, int input, int output)
{
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    char *arguments[] = { (char *)program, (char *)argument, NULL };
    pid_t child = 0;
    int wrong = posix_spawn(&child, program, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return wrong ? -wrong : (int)child;
}

int clinux_start_child(const char *program, const char *argument, int *to, int *from)
{
    int down[2], up[2];
    if (pipe2(down, O_CLOEXEC) < 0) return -errno;
    if (pipe2(up, O_CLOEXEC) < 0) {
        int wrong = errno;
        close(down[0]);
        close(down[1]);
        return -wrong;
    }
    int child = start_with(program, argument, down[0], up[1]);
    close(down[0]);
    close(up[1]);
    if (child < 0) {
        close(down[1]);
        close(up[0]);
        return child;
    }
    fcntl(down[1], F_SETFL, O_NONBLOCK);
    *to = down[1];
    *from = up[0];
    return child;
}

int clinux_leave_no_core(void)
{
    // A limit does not bind what the kernel pipes a core into; that a process may not be dumped binds both. The limit is for those it starts.
    struct rlimit none = { 0, 0 };
    setrlimit(RLIMIT_CORE, &none);
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0;
}
