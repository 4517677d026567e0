// Watches GPIO lines from outside and prints what happens to them, one line each, written whole.
//
//   witness [NAME=]FILE…          FILE is sim_gpioN/value of a simulated line, asked every millisecond
//       level NAME LEVEL MS           what it was at the beginning, or when the line came back
//       edge NAME LEVEL MS            it changed
//       gone NAME MS                  the line is not there (any more)
//   witness --info CHIP OFFSET…   CHIP is a device; the kernel tells who takes and returns a line
//       info OFFSET NAME EVENT DIRECTION POLARITY level=LEVEL consumer=CONSUMER MS
//           EVENT      now (at the beginning), requested, released, reconfigured
//           DIRECTION  input, output;  POLARITY  active-high, active-low
//           LEVEL      the simulated line's physical level when the event was read; "-" if it has none
//       gone CHIP MS                  the chip vanished; the program ends
//
// MS are milliseconds of CLOCK_MONOTONIC: the kernel's own time of an info event, otherwise now.
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <linux/gpio.h>
#include <poll.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { most_lines = 64, look_every_ns = 1000000, reopen_every_ms = 20, unknown = -1, absent = -2 };

struct line {
    const char *name;
    const char *file;
    int fd;
    int level;
    int64_t reopen_at;
};

static int64_t now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

// One write for one line: another program's output cannot come between.
__attribute__((format(printf, 1, 2))) static void tell(const char *format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length < 0) return;
    if (length >= (int)sizeof text) length = sizeof text - 1;
    if (write(STDOUT_FILENO, text, (size_t)length) < 0) exit(1);
}

static int read_level(int fd) {
    char text[4];
    ssize_t length = pread(fd, text, sizeof text, 0);
    if (length < 1 || (text[0] != '0' && text[0] != '1')) return absent;
    return text[0] - '0';
}

static void look(struct line *line) {
    if (line->fd < 0) {
        if (now_ms() < line->reopen_at) return;
        line->reopen_at = now_ms() + reopen_every_ms;
        line->fd = open(line->file, O_RDONLY | O_CLOEXEC);
    }
    int level = line->fd < 0 ? absent : read_level(line->fd);
    if (level == line->level) return;
    if (level == absent) {
        if (line->fd >= 0) close(line->fd);
        line->fd = -1;
        tell("gone %s %lld\n", line->name, (long long)now_ms());
    } else {
        const char *what = line->level < 0 ? "level" : "edge";
        tell("%s %s %d %lld\n", what, line->name, level, (long long)now_ms());
    }
    line->level = level;
}

// "…/sim_gpio3/value" is called sim_gpio3 when it is given no other name.
static struct line line_of(char *argument) {
    struct line line = {.fd = -1, .level = unknown};
    char *sign = strchr(argument, '=');
    if (sign) {
        *sign = 0;
        line.name = argument;
        line.file = sign + 1;
    } else {
        line.file = argument;
        line.name = basename(dirname(strdup(argument)));
    }
    return line;
}

_Noreturn static void watch_levels(int count, char **arguments) {
    struct line lines[most_lines];
    for (int i = 0; i < count; i++) lines[i] = line_of(arguments[i]);
    for (;;) {
        for (int i = 0; i < count; i++) look(&lines[i]);
        nanosleep(&(struct timespec){.tv_nsec = look_every_ns}, NULL);
    }
}

static int level_of(const char *chip, uint32_t offset) {
    char path[128];
    snprintf(path, sizeof path, "/sys/bus/gpio/devices/%s/sim_gpio%u/value", chip, offset);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return absent;
    int level = read_level(fd);
    close(fd);
    return level;
}

static void tell_info(const char *chip, const char *event, const struct gpio_v2_line_info *info, int64_t at) {
    int level = level_of(chip, info->offset);
    tell("info %u %s %s %s %s level=%s consumer=%s %lld\n", info->offset, info->name[0] ? info->name : "-", event,
         info->flags & GPIO_V2_LINE_FLAG_OUTPUT ? "output" : "input",
         info->flags & GPIO_V2_LINE_FLAG_ACTIVE_LOW ? "active-low" : "active-high",
         level == absent ? "-" : level ? "1" : "0", info->consumer[0] ? info->consumer : "-", (long long)at);
}

static const char *event_name(uint32_t type) {
    switch (type) {
        case GPIO_V2_LINE_CHANGED_REQUESTED: return "requested";
        case GPIO_V2_LINE_CHANGED_RELEASED: return "released";
        case GPIO_V2_LINE_CHANGED_CONFIG: return "reconfigured";
    }
    return "unknown";
}

static int watch_info(char *device, int count, char **offsets) {
    const char *chip = basename(strdup(device));
    int fd = open(device, O_RDWR | O_CLOEXEC);
    if (fd < 0) return fprintf(stderr, "witness: %s: %s\n", device, strerror(errno)), 1;
    for (int i = 0; i < count; i++) {
        struct gpio_v2_line_info info = {.offset = (uint32_t)strtoul(offsets[i], NULL, 10)};
        if (ioctl(fd, GPIO_V2_GET_LINEINFO_WATCH_IOCTL, &info) < 0)
            return fprintf(stderr, "witness: %s line %s: %s\n", device, offsets[i], strerror(errno)), 1;
        tell_info(chip, "now", &info, now_ms());
    }
    for (;;) {
        struct pollfd chip_fd = {.fd = fd, .events = POLLIN};
        if (poll(&chip_fd, 1, -1) < 0 && errno == EINTR) continue;
        struct gpio_v2_line_info_changed change;
        if (!(chip_fd.revents & POLLIN) || read(fd, &change, sizeof change) != sizeof change) break;
        tell_info(chip, event_name(change.event_type), &change.info, (int64_t)(change.timestamp_ns / 1000000));
    }
    tell("gone %s %lld\n", chip, (long long)now_ms());
    return 0;
}

int main(int count, char **arguments) {
    if (count >= 4 && strcmp(arguments[1], "--info") == 0) return watch_info(arguments[2], count - 3, arguments + 3);
    if (count >= 2 && arguments[1][0] != '-' && count - 1 <= most_lines) watch_levels(count - 1, arguments + 1);
    fprintf(stderr, "usage: witness [NAME=]FILE… | witness --info CHIP OFFSET…\n");
    return 2;
}
