// The half for libgpiod 1.6. A `cgpiod_line` is a `struct gpiod_line`, which belongs to its chip.
#pragma once
#include <limits.h>
#include <linux/gpio.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

// libgpiod 1 opens whatever the path names before it looks at it, and to open a terminal waits
// for its carrier, to open a watchdog starts it. Hence this look first.
static inline int cgpiod_check_is_chip(const char *path) {
    struct stat about;
    if (stat(path, &about) < 0) return cgpiod_failure();
    if (!S_ISCHR(about.st_mode)) return -ENOTTY;
    char link[64], subsystem[PATH_MAX];
    snprintf(link, sizeof link, "/sys/dev/char/%u:%u/subsystem", major(about.st_rdev), minor(about.st_rdev));
    ssize_t length = readlink(link, subsystem, sizeof subsystem - 1);
    if (length < 0) return -ENODEV;
    subsystem[length] = 0;
    const char *name = strrchr(subsystem, '/');
    return name && strcmp(name, "/gpio") == 0 ? 0 : -ENODEV;
}

static inline int cgpiod_chip_open(const char *path, struct gpiod_chip **chip) {
    int check = cgpiod_check_is_chip(path);
    if (check < 0) return check;
    *chip = gpiod_chip_open(path);
    return *chip ? 0 : cgpiod_failure();
}

static inline void cgpiod_chip_close(struct gpiod_chip *chip) {
    gpiod_chip_close(chip);
}

static inline int cgpiod_chip_name(struct gpiod_chip *chip, char *buffer, size_t size) {
    return cgpiod_copy(gpiod_chip_name(chip), buffer, size);
}

static inline int cgpiod_chip_label(struct gpiod_chip *chip, char *buffer, size_t size) {
    return cgpiod_copy(gpiod_chip_label(chip), buffer, size);
}

static inline int cgpiod_chip_line_count(struct gpiod_chip *chip, uint32_t *count) {
    *count = gpiod_chip_num_lines(chip);
    return 0;
}

// The line with what the kernel says about it now: libgpiod 1 asks by itself only the first time.
static inline int cgpiod_line_look(struct gpiod_chip *chip, uint32_t offset, struct gpiod_line **line) {
    *line = gpiod_chip_get_line(chip, offset);
    if (!*line) return cgpiod_failure();
    return gpiod_line_update(*line) < 0 ? cgpiod_failure() : 0;
}

static inline int cgpiod_line_name(struct gpiod_chip *chip, uint32_t offset, char *buffer, size_t size) {
    struct gpiod_line *line;
    int result = cgpiod_line_look(chip, offset, &line);
    return result < 0 ? result : cgpiod_copy(gpiod_line_name(line), buffer, size);
}

static inline int cgpiod_line_consumer(struct gpiod_chip *chip, uint32_t offset, char *buffer, size_t size) {
    struct gpiod_line *line;
    int result = cgpiod_line_look(chip, offset, &line);
    return result < 0 ? result : cgpiod_copy(gpiod_line_consumer(line), buffer, size);
}

static inline int cgpiod_line_take_output(struct gpiod_chip *chip, uint32_t offset, bool active_low,
                                          const char *consumer, cgpiod_line **line) {
    struct gpiod_line *found = gpiod_chip_get_line(chip, offset);
    if (!found) return cgpiod_failure();
    int flags = active_low ? GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW : 0;
    if (gpiod_line_request_output_flags(found, consumer, flags, 0) < 0) return cgpiod_failure();
    *line = (cgpiod_line *)found;
    return 0;
}

static inline int cgpiod_line_take_as_is(struct gpiod_chip *chip, uint32_t offset, bool active_low,
                                         const char *consumer, cgpiod_line **line) {
    struct gpiod_line *found = gpiod_chip_get_line(chip, offset);
    if (!found) return cgpiod_failure();
    struct gpiod_line_request_config request = {
        .consumer = consumer,
        .request_type = GPIOD_LINE_REQUEST_DIRECTION_AS_IS,
        .flags = active_low ? GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW : 0,
    };
    if (gpiod_line_request(found, &request, 0) < 0) return cgpiod_failure();
    *line = (cgpiod_line *)found;
    return 0;
}

static inline int cgpiod_line_make_output(cgpiod_line *line, uint32_t offset, bool active_low) {
    (void)offset;
    int flags = active_low ? GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW : 0;
    int result = gpiod_line_set_config((struct gpiod_line *)line, GPIOD_LINE_REQUEST_DIRECTION_OUTPUT, flags, 0);
    return result < 0 ? cgpiod_failure() : 0;
}

static inline int cgpiod_line_set(cgpiod_line *line, uint32_t offset, bool active) {
    (void)offset;
    return gpiod_line_set_value((struct gpiod_line *)line, active) < 0 ? cgpiod_failure() : 0;
}

static inline int cgpiod_line_get(cgpiod_line *line, uint32_t offset) {
    (void)offset;
    int value = gpiod_line_get_value((struct gpiod_line *)line);
    return value < 0 ? cgpiod_failure() : value;
}

static inline void cgpiod_line_give_back(cgpiod_line *line) {
    gpiod_line_release((struct gpiod_line *)line);
}

// Inputs go past libgpiod 1: it speaks the first version of the kernel's interface, in which 16 edges wait for a reader
// and one that was lost leaves no trace. The second version is what libgpiod 2 speaks (Linux 5.10).
struct cgpiod_input {
    int descriptor;
};

static inline int cgpiod_input_take(struct gpiod_chip *chip, uint32_t offset, bool active_low, int bias,
                                    const char *consumer, cgpiod_input **input) {
    static const uint64_t biases[] = {0, GPIO_V2_LINE_FLAG_BIAS_PULL_UP, GPIO_V2_LINE_FLAG_BIAS_PULL_DOWN,
                                      GPIO_V2_LINE_FLAG_BIAS_DISABLED};
    struct gpio_v2_line_request request = {.offsets = {offset}, .num_lines = 1, .event_buffer_size = CGPIOD_EDGES_KEPT};
    request.config.flags = GPIO_V2_LINE_FLAG_INPUT | GPIO_V2_LINE_FLAG_EDGE_RISING | GPIO_V2_LINE_FLAG_EDGE_FALLING |
                           (active_low ? GPIO_V2_LINE_FLAG_ACTIVE_LOW : 0) | biases[bias];
    cgpiod_copy(consumer, request.consumer, sizeof request.consumer);
    char path[NAME_MAX + 8];
    snprintf(path, sizeof path, "/dev/%s", gpiod_chip_name(chip));
    *input = (cgpiod_input *)calloc(1, sizeof **input);
    if (!*input) return -ENOMEM;
    int device = open(path, O_RDWR | O_CLOEXEC);
    int result = device < 0 || ioctl(device, GPIO_V2_GET_LINE_IOCTL, &request) < 0 ? cgpiod_failure() : 0;
    if (device >= 0) close(device);
    if (result == 0 && fcntl(request.fd, F_SETFL, O_NONBLOCK) < 0) {
        result = cgpiod_failure();
        close(request.fd);
    }
    if (result < 0) free(*input);
    else (*input)->descriptor = request.fd;
    return result;
}

static inline int cgpiod_input_descriptor(const cgpiod_input *input) {
    return input->descriptor;
}

static inline int cgpiod_input_fetch(cgpiod_input *input, cgpiod_edge *edges, int capacity) {
    struct gpio_v2_line_event events[16];
    size_t most = sizeof events / sizeof *events;
    if ((size_t)capacity < most) most = (size_t)capacity;
    ssize_t length = read(input->descriptor, events, most * sizeof *events);
    if (length < 0) return errno == EAGAIN || errno == EINTR ? 0 : cgpiod_failure();
    int count = (int)((size_t)length / sizeof *events);
    for (int i = 0; i < count; i++) {
        edges[i].nanoseconds = (int64_t)events[i].timestamp_ns;
        edges[i].sequence = events[i].line_seqno;
        edges[i].active = events[i].id == GPIO_V2_LINE_EVENT_RISING_EDGE;
    }
    return count;
}

static inline int cgpiod_input_get(cgpiod_input *input) {
    struct gpio_v2_line_values values = {.mask = 1};
    return ioctl(input->descriptor, GPIO_V2_LINE_GET_VALUES_IOCTL, &values) < 0 ? cgpiod_failure() : (int)(values.bits & 1);
}

static inline void cgpiod_input_give_back(cgpiod_input *input) {
    close(input->descriptor);
    free(input);
}
