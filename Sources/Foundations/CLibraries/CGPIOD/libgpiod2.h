// The half for libgpiod 2. A `cgpiod_line` is a `struct gpiod_line_request` of one line.
#pragma once

static inline int cgpiod_chip_open(const char *path, struct gpiod_chip **chip) {
    *chip = gpiod_chip_open(path);
    return *chip ? 0 : cgpiod_failure();
}

static inline void cgpiod_chip_close(struct gpiod_chip *chip) {
    gpiod_chip_close(chip);
}

static inline int cgpiod_chip_name(struct gpiod_chip *chip, char *buffer, size_t size) {
    struct gpiod_chip_info *info = gpiod_chip_get_info(chip);
    if (!info) return cgpiod_failure();
    int result = cgpiod_copy(gpiod_chip_info_get_name(info), buffer, size);
    gpiod_chip_info_free(info);
    return result;
}

static inline int cgpiod_chip_label(struct gpiod_chip *chip, char *buffer, size_t size) {
    struct gpiod_chip_info *info = gpiod_chip_get_info(chip);
    if (!info) return cgpiod_failure();
    int result = cgpiod_copy(gpiod_chip_info_get_label(info), buffer, size);
    gpiod_chip_info_free(info);
    return result;
}

static inline int cgpiod_chip_line_count(struct gpiod_chip *chip, uint32_t *count) {
    struct gpiod_chip_info *info = gpiod_chip_get_info(chip);
    if (!info) return cgpiod_failure();
    *count = (uint32_t)gpiod_chip_info_get_num_lines(info);
    gpiod_chip_info_free(info);
    return 0;
}

static inline int cgpiod_line_name(struct gpiod_chip *chip, uint32_t offset, char *buffer, size_t size) {
    struct gpiod_line_info *info = gpiod_chip_get_line_info(chip, offset);
    if (!info) return cgpiod_failure();
    int result = cgpiod_copy(gpiod_line_info_get_name(info), buffer, size);
    gpiod_line_info_free(info);
    return result;
}

static inline int cgpiod_line_consumer(struct gpiod_chip *chip, uint32_t offset, char *buffer, size_t size) {
    struct gpiod_line_info *info = gpiod_chip_get_line_info(chip, offset);
    if (!info) return cgpiod_failure();
    int result = cgpiod_copy(gpiod_line_info_get_consumer(info), buffer, size);
    gpiod_line_info_free(info);
    return result;
}

static inline int cgpiod_line_request(struct gpiod_chip *chip, uint32_t offset, struct gpiod_line_settings *settings,
                                      const char *consumer, cgpiod_line **line) {
    struct gpiod_line_config *lines = gpiod_line_config_new();
    struct gpiod_request_config *request = gpiod_request_config_new();
    int result = 0;
    if (!lines || !request) {
        result = -ENOMEM;
    } else if (gpiod_line_config_add_line_settings(lines, &offset, 1, settings) < 0) {
        result = cgpiod_failure();
    } else {
        gpiod_request_config_set_consumer(request, consumer);
        gpiod_request_config_set_event_buffer_size(request, CGPIOD_EDGES_KEPT); // without edges it takes no room
        *line = (cgpiod_line *)gpiod_chip_request_lines(chip, request, lines);
        if (!*line) result = cgpiod_failure();
    }
    gpiod_request_config_free(request);
    gpiod_line_config_free(lines);
    return result;
}

static inline int cgpiod_line_take_output(struct gpiod_chip *chip, uint32_t offset, bool active_low,
                                          const char *consumer, cgpiod_line **line) {
    struct gpiod_line_settings *settings = gpiod_line_settings_new();
    if (!settings) return -ENOMEM;
    gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_OUTPUT);
    gpiod_line_settings_set_output_value(settings, GPIOD_LINE_VALUE_INACTIVE);
    gpiod_line_settings_set_active_low(settings, active_low);
    int result = cgpiod_line_request(chip, offset, settings, consumer, line);
    gpiod_line_settings_free(settings);
    return result;
}

static inline int cgpiod_line_take_as_is(struct gpiod_chip *chip, uint32_t offset, bool active_low,
                                         const char *consumer, cgpiod_line **line) {
    struct gpiod_line_settings *settings = gpiod_line_settings_new();
    if (!settings) return -ENOMEM;
    gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_AS_IS);
    gpiod_line_settings_set_active_low(settings, active_low);
    int result = cgpiod_line_request(chip, offset, settings, consumer, line);
    gpiod_line_settings_free(settings);
    return result;
}

static inline int cgpiod_line_make_output(cgpiod_line *line, uint32_t offset, bool active_low) {
    struct gpiod_line_settings *settings = gpiod_line_settings_new();
    struct gpiod_line_config *lines = gpiod_line_config_new();
    int result = 0;
    if (!settings || !lines) {
        result = -ENOMEM;
    } else {
        gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_OUTPUT);
        gpiod_line_settings_set_output_value(settings, GPIOD_LINE_VALUE_INACTIVE);
        gpiod_line_settings_set_active_low(settings, active_low);
        if (gpiod_line_config_add_line_settings(lines, &offset, 1, settings) < 0 ||
            gpiod_line_request_reconfigure_lines((struct gpiod_line_request *)line, lines) < 0)
            result = cgpiod_failure();
    }
    gpiod_line_config_free(lines);
    gpiod_line_settings_free(settings);
    return result;
}

static inline int cgpiod_line_set(cgpiod_line *line, uint32_t offset, bool active) {
    enum gpiod_line_value value = active ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE;
    return gpiod_line_request_set_value((struct gpiod_line_request *)line, offset, value) < 0 ? cgpiod_failure() : 0;
}

static inline int cgpiod_line_get(cgpiod_line *line, uint32_t offset) {
    enum gpiod_line_value value = gpiod_line_request_get_value((struct gpiod_line_request *)line, offset);
    return value == GPIOD_LINE_VALUE_ERROR ? cgpiod_failure() : value == GPIOD_LINE_VALUE_ACTIVE;
}

static inline void cgpiod_line_give_back(cgpiod_line *line) {
    gpiod_line_request_release((struct gpiod_line_request *)line);
}

struct cgpiod_input {
    struct gpiod_line_request *request;
    struct gpiod_edge_event_buffer *events;
    uint32_t offset;
};

static inline void cgpiod_input_give_back(cgpiod_input *input) {
    if (input->request) gpiod_line_request_release(input->request);
    if (input->events) gpiod_edge_event_buffer_free(input->events);
    free(input);
}

static inline int cgpiod_input_take(struct gpiod_chip *chip, uint32_t offset, bool active_low, int bias,
                                    const char *consumer, cgpiod_input **input) {
    static const enum gpiod_line_bias biases[] = {GPIOD_LINE_BIAS_AS_IS, GPIOD_LINE_BIAS_PULL_UP, GPIOD_LINE_BIAS_PULL_DOWN,
                                                  GPIOD_LINE_BIAS_DISABLED};
    cgpiod_input *taken = (cgpiod_input *)calloc(1, sizeof *taken);
    struct gpiod_line_settings *settings = gpiod_line_settings_new();
    int result = -ENOMEM;
    if (taken && settings) {
        taken->offset = offset;
        taken->events = gpiod_edge_event_buffer_new(16);
        gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_INPUT);
        gpiod_line_settings_set_edge_detection(settings, GPIOD_LINE_EDGE_BOTH);
        gpiod_line_settings_set_event_clock(settings, GPIOD_LINE_CLOCK_MONOTONIC);
        gpiod_line_settings_set_bias(settings, biases[bias]);
        gpiod_line_settings_set_active_low(settings, active_low);
        if (taken->events) result = cgpiod_line_request(chip, offset, settings, consumer, (cgpiod_line **)&taken->request);
    }
    gpiod_line_settings_free(settings);
    if (result == 0 && fcntl(gpiod_line_request_get_fd(taken->request), F_SETFL, O_NONBLOCK) < 0) result = cgpiod_failure();
    if (result == 0) *input = taken;
    else if (taken) cgpiod_input_give_back(taken);
    return result;
}

static inline int cgpiod_input_descriptor(const cgpiod_input *input) {
    return gpiod_line_request_get_fd(input->request);
}

static inline int cgpiod_input_fetch(cgpiod_input *input, cgpiod_edge *edges, int capacity) {
    size_t most = gpiod_edge_event_buffer_get_capacity(input->events);
    if ((size_t)capacity < most) most = (size_t)capacity;
    int count = gpiod_line_request_read_edge_events(input->request, input->events, most);
    if (count < 0) return errno == EAGAIN || errno == EINTR ? 0 : cgpiod_failure();
    for (int i = 0; i < count; i++) {
        struct gpiod_edge_event *event = gpiod_edge_event_buffer_get_event(input->events, (unsigned long)i);
        edges[i].nanoseconds = (int64_t)gpiod_edge_event_get_timestamp_ns(event);
        edges[i].sequence = (uint32_t)gpiod_edge_event_get_line_seqno(event);
        edges[i].active = gpiod_edge_event_get_event_type(event) == GPIOD_EDGE_EVENT_RISING_EDGE;
    }
    return count;
}

static inline int cgpiod_input_get(cgpiod_input *input) {
    return cgpiod_line_get((cgpiod_line *)input->request, input->offset);
}
