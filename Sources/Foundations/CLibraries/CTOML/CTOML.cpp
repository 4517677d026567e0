#ifndef TOML_EXCEPTIONS
#define TOML_EXCEPTIONS 0
#endif
#define TOML_ENABLE_FORMATTERS 0
// A gate's configuration nests four deep. The parser and this file recurse, and a reload runs on a thread
// with a small stack.
#define TOML_MAX_NESTED_VALUES 16

// Some texts that are no TOML ("[[[a]]]", "a = [}") break assertions of toml++ 3.3; in a release build it
// would even assume the opposite of what is there. Here an assertion is one more way to say no: it leaves
// the parser by an exception that does not leave this file.
namespace {
struct broken_assertion {};
} // namespace
#undef NDEBUG
#define TOML_ASSERT(expression) ((expression) ? static_cast<void>(0) : throw broken_assertion())

#include "CTOML.h"
#include "dots.hpp"

#include <string>
#include <string_view>
#include <toml++/toml.h>
#include <vector>

struct ctoml_document {
    toml::table root; // owns every text
    std::vector<ctoml_node> nodes;
    std::string error;
    toml::source_position error_position{};
};

namespace {

int32_t kind_of(const toml::node &node)
{
    switch (node.type()) {
    case toml::node_type::table: return CTOML_TABLE;
    case toml::node_type::array: return CTOML_ARRAY;
    case toml::node_type::string: return CTOML_STRING;
    case toml::node_type::integer: return CTOML_INTEGER;
    case toml::node_type::floating_point: return CTOML_FLOAT;
    case toml::node_type::boolean: return CTOML_BOOLEAN;
    case toml::node_type::date_time: return node.as_date_time()->get().offset ? CTOML_MOMENT : CTOML_TIME;
    default: return CTOML_TIME;
    }
}

// Years are counted from March, so that the leap day is the last of its year; 146097 days are 400 years.
int64_t days_since_1970(const toml::date &date)
{
    const int64_t year = int64_t{date.year} - (date.month <= 2 ? 1 : 0) + 400; // never below zero
    const int64_t month = date.month <= 2 ? date.month + 9 : date.month - 3;
    return year / 400 * 146097 + year % 400 * 365 + year % 400 / 4 - year % 400 / 100 + (153 * month + 2) / 5 + date.day - 1
        - 719468 - 146097;
}

int64_t seconds_since_1970(const toml::date_time &moment)
{
    const int64_t minutes = moment.time.hour * 60 + moment.time.minute - (moment.offset ? moment.offset->minutes : 0);
    return days_since_1970(moment.date) * 86400 + minutes * 60 + moment.time.second;
}

void set_value(ctoml_node &flat, const toml::node &node)
{
    if (const auto *text = node.as_string()) {
        flat.text = text->get().data();
        flat.text_length = text->get().size();
    } else if (const auto *integer = node.as_integer()) {
        flat.integer = integer->get();
    } else if (const auto *boolean = node.as_boolean()) {
        flat.integer = boolean->get() ? 1 : 0;
    } else if (const auto *number = node.as_floating_point()) {
        flat.number = number->get();
    } else if (const auto *moment = node.as_date_time()) {
        flat.integer = seconds_since_1970(moment->get());
    }
}

// Depth is bounded: by TOML_MAX_NESTED_VALUES, and by maximum_dots for each of these.
void add(ctoml_document &document, const toml::node &node, const toml::key *key, int32_t parent)
{
    ctoml_node flat{};
    flat.parent = parent;
    flat.kind = kind_of(node);
    if (key != nullptr) {
        flat.key = key->str().data();
        flat.key_length = key->str().size();
        flat.key_line = key->source().begin.line;
        flat.key_column = key->source().begin.column;
    }
    flat.line = node.source().begin.line;
    flat.column = node.source().begin.column;
    set_value(flat, node);
    const auto index = static_cast<int32_t>(document.nodes.size());
    document.nodes.push_back(flat);
    if (const auto *table = node.as_table()) {
        for (const auto &[name, value] : *table) add(document, value, &name, index);
    } else if (const auto *array = node.as_array()) {
        for (const auto &value : *array) add(document, value, nullptr, index);
    }
}

// Characters begin with any byte but 10xxxxxx; a byte order mark is none.
bool begins_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }

toml::source_position position_at(std::string_view text, size_t offset)
{
    toml::source_position position{1, 0};
    for (size_t i = text.substr(0, 3) == "\xEF\xBB\xBF" ? 3 : 0; i <= offset && i < text.size(); i++) {
        if (i > 0 && text[i - 1] == '\n') position = {position.line + 1, 0};
        if (begins_character(text[i])) position.column++;
    }
    return position;
}

void fail(ctoml_document &document, const char *sentence, toml::source_position where)
{
    document.error = sentence;
    document.error_position = where;
}

bool breaks_assertion(std::string_view text)
{
    try {
        static_cast<void>(toml::parse(text));
        return false;
    } catch (const broken_assertion &) {
        return true;
    }
}

// The character that broke it is the last one of the shortest beginning that does.
size_t offset_of_broken_assertion(std::string_view text)
{
    size_t whole = 0, broken = text.size();
    while (broken - whole > 1) {
        const size_t middle = whole + (broken - whole) / 2;
        (breaks_assertion(text.substr(0, middle)) ? broken : whole) = middle;
    }
    return broken == 0 ? 0 : broken - 1;
}

void parse(ctoml_document &document, std::string_view text)
{
    auto result = toml::parse(text);
    if (!result) {
        document.error = std::string(result.error().description());
        document.error_position = result.error().source().begin;
        return;
    }
    document.root = std::move(result).table();
    add(document, document.root, nullptr, -1);
}

} // namespace

extern "C" ctoml_document *ctoml_parse(const char *bytes, size_t length)
{
    auto *document = new ctoml_document;
    const std::string_view text(bytes == nullptr ? "" : bytes, length);
    const size_t excess = ctoml::DotCounter(text).excess();
    if (excess < text.size()) {
        fail(*document, "a line with more than 16 dots nests deeper than any setting", position_at(text, excess));
        return document;
    }
    try {
        parse(*document, text);
    } catch (const broken_assertion &) {
        fail(*document, "something else was expected here", position_at(text, offset_of_broken_assertion(text)));
    }
    return document;
}

extern "C" void ctoml_free(ctoml_document *document) { delete document; }

extern "C" const char *ctoml_error(const ctoml_document *document, uint32_t *line, uint32_t *column)
{
    if (document->error.empty()) return nullptr;
    *line = document->error_position.line;
    *column = document->error_position.column;
    return document->error.c_str();
}

extern "C" size_t ctoml_count(const ctoml_document *document) { return document->nodes.size(); }

extern "C" const ctoml_node *ctoml_node_at(const ctoml_document *document, size_t index)
{
    return index < document->nodes.size() ? &document->nodes[index] : nullptr;
}
