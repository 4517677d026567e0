#ifndef TOML_EXCEPTIONS
#define TOML_EXCEPTIONS 0
#endif
#define TOML_ENABLE_FORMATTERS 0
#include "CTOML.h"

#include <new>
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
    default: return CTOML_TIME;
    }
}

// Depth is bounded by toml++ (TOML_MAX_NESTED_VALUES, 256).
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
    if (const auto *text = node.as_string()) {
        flat.text = text->get().data();
        flat.text_length = text->get().size();
    } else if (const auto *integer = node.as_integer()) {
        flat.integer = integer->get();
    } else if (const auto *boolean = node.as_boolean()) {
        flat.integer = boolean->get() ? 1 : 0;
    } else if (const auto *number = node.as_floating_point()) {
        flat.number = number->get();
    }
    const auto index = static_cast<int32_t>(document.nodes.size());
    document.nodes.push_back(flat);
    if (const auto *table = node.as_table()) {
        for (const auto &[name, value] : *table) add(document, value, &name, index);
    } else if (const auto *array = node.as_array()) {
        for (const auto &value : *array) add(document, value, nullptr, index);
    }
}

} // namespace

extern "C" ctoml_document *ctoml_parse(const char *bytes, size_t length)
{
    auto *document = new ctoml_document;
    auto result = toml::parse(std::string_view(bytes == nullptr ? "" : bytes, length));
    if (!result) {
        document->error = std::string(result.error().description());
        document->error_position = result.error().source().begin;
        return document;
    }
    document->root = std::move(result).table();
    add(*document, document->root, nullptr, -1);
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
