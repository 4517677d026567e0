// GPIO lines through libgpiod, whichever API is installed: 1.6 (Debian 12) or 2.2 (Debian 13).
//
// One convention: a function that can fail answers 0 or a non-negative result when it worked and
// the negative errno when it did not. Texts are copied into the caller's buffer and cut to fit.
#pragma once
#include <errno.h>
#include <fcntl.h>
#include <gpiod.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// The kernel's names of chips, lines and consumers are at most this long, with the closing zero
// (GPIO_MAX_NAME_SIZE of linux/gpio.h).
enum { CGPIOD_NAME_SIZE = 32 };

// Chips ---------------------------------------------------------------------------------------

// Opens a chip by its path. -ENOTTY or -ENODEV: the path is there and is no GPIO chip.
static inline int cgpiod_chip_open(const char *path, struct gpiod_chip **chip);
static inline void cgpiod_chip_close(struct gpiod_chip *chip);
// The kernel's name ("gpiochip0") and the driver's label of the chip.
static inline int cgpiod_chip_name(struct gpiod_chip *chip, char *buffer, size_t size);
static inline int cgpiod_chip_label(struct gpiod_chip *chip, char *buffer, size_t size);
static inline int cgpiod_chip_line_count(struct gpiod_chip *chip, uint32_t *count);

// Lines of a chip, asked of the kernel at every call; no level changes ------------------------

// The name is empty when the line has none.
static inline int cgpiod_line_name(struct gpiod_chip *chip, uint32_t offset, char *buffer, size_t size);
// Who holds the line; empty when nobody does or the holder gave no name.
static inline int cgpiod_line_consumer(struct gpiod_chip *chip, uint32_t offset, char *buffer, size_t size);

// A line that is ours -------------------------------------------------------------------------

typedef struct cgpiod_line cgpiod_line;

// Takes a line as an output that is inactive from the first moment on. -EBUSY: somebody has it.
// The chip must stay open as long as the line is held.
static inline int cgpiod_line_take_output(struct gpiod_chip *chip, uint32_t offset, bool active_low,
                                          const char *consumer, cgpiod_line **line);
// Takes a line as it is: neither its direction nor its level changes. `get` tells the level.
static inline int cgpiod_line_take_as_is(struct gpiod_chip *chip, uint32_t offset, bool active_low,
                                         const char *consumer, cgpiod_line **line);
// Makes a line that was taken as it is an output that is inactive, without letting go of it.
static inline int cgpiod_line_make_output(cgpiod_line *line, uint32_t offset, bool active_low);
// One ioctl each; `offset` is the one the line was taken with.
static inline int cgpiod_line_set(cgpiod_line *line, uint32_t offset, bool active);
// 1 active, 0 inactive.
static inline int cgpiod_line_get(cgpiod_line *line, uint32_t offset);
// Gives the line back. Which level it has then is the driver's business.
static inline void cgpiod_line_give_back(cgpiod_line *line);

// An input that is ours -----------------------------------------------------------------------

typedef struct cgpiod_input cgpiod_input;

// What holds the level while nothing drives the line. A chip without such resistors ignores it.
enum { CGPIOD_BIAS_AS_IS, CGPIOD_BIAS_PULL_UP, CGPIOD_BIAS_PULL_DOWN, CGPIOD_BIAS_OFF };

// So many edges of a line wait in the kernel for somebody to fetch them; then the oldest ones go.
enum { CGPIOD_EDGES_KEPT = 256 };

typedef struct {
    int64_t nanoseconds; // of the monotonic clock
    uint32_t sequence;   // counts the edges of this line, lost ones too
    bool active;         // the level after the edge
} cgpiod_edge;

// Takes a line as an input; the kernel keeps every edge of it from then on. -EBUSY: somebody has it. -ENXIO: the
// chip cannot tell of edges.
static inline int cgpiod_input_take(struct gpiod_chip *chip, uint32_t offset, bool active_low, int bias,
                                    const char *consumer, cgpiod_input **input);
// Readable while edges wait; hangs up when the chip has gone. It belongs to the input.
static inline int cgpiod_input_descriptor(const cgpiod_input *input);
// Fetches the oldest edges, as many as there are or fit, without waiting. Answers how many.
static inline int cgpiod_input_fetch(cgpiod_input *input, cgpiod_edge *edges, int capacity);
// 1 active, 0 inactive.
static inline int cgpiod_input_get(cgpiod_input *input);
static inline void cgpiod_input_give_back(cgpiod_input *input);

// ---------------------------------------------------------------------------------------------

// errno of the call before; an answer that claims to have failed never counts as success.
static inline int cgpiod_failure(void) {
    return errno > 0 ? -errno : -EIO;
}

static inline int cgpiod_copy(const char *text, char *buffer, size_t size) {
    if (size == 0) return -EINVAL;
    size_t length = text ? strnlen(text, size - 1) : 0;
    if (length > 0) memcpy(buffer, text, length);
    buffer[length] = 0;
    return 0;
}

#ifdef GPIOD_LINE_BULK_MAX_LINES
#include "libgpiod1.h"
#else
#include "libgpiod2.h"
#endif
