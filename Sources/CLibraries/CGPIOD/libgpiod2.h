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

static inline int cgpiod_line_take_input(struct gpiod_chip *chip, uint32_t offset, bool active_low,
                                         const char *consumer, cgpiod_line **line) {
    struct gpiod_line_settings *settings = gpiod_line_settings_new();
    if (!settings) return -ENOMEM;
    gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_INPUT);
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
