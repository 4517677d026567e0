#define _GNU_SOURCE
#include "CLinux.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

static int answer(int result) { return result < 0 ? -errno : result; }

// Until somebody sets it otherwise a terminal echoes and waits for lines.
static int pass_bytes(int terminal)
{
    struct termios mode;
    if (tcgetattr(terminal, &mode) < 0) return -errno;
    cfmakeraw(&mode);
    return answer(tcsetattr(terminal, TCSANOW, &mode));
}

static int open_device(int terminal, char *path, size_t capacity)
{
    if (grantpt(terminal) < 0 || unlockpt(terminal) < 0) return -errno;
    int wrong = ptsname_r(terminal, path, capacity);
    if (wrong) return -wrong;
    int device = answer(open(path, O_RDWR | O_NOCTTY | O_CLOEXEC));
    if (device < 0) return device;
    wrong = pass_bytes(device);
    if (wrong >= 0) return device;
    close(device);
    return wrong;
}

int clinux_terminal_create(int *device, char *path, size_t capacity)
{
    int terminal = answer(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK));
    if (terminal < 0) return terminal;
    *device = open_device(terminal, path, capacity);
    if (*device >= 0) return terminal;
    close(terminal);
    return *device;
}

ssize_t clinux_read(int descriptor, void *bytes, size_t length)
{
    ssize_t count;
    do count = read(descriptor, bytes, length); while (count < 0 && errno == EINTR);
    return count < 0 ? -errno : count;
}

ssize_t clinux_write(int descriptor, const void *bytes, size_t length)
{
    ssize_t count;
    do count = write(descriptor, bytes, length); while (count < 0 && errno == EINTR);
    return count < 0 ? -errno : count;
}
