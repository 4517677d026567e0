// TOML (toml++) as a flat list of nodes, each with its place in the text.
//
// The parser is C++ and Swift sees C only: parse, walk the nodes by index, free. Nothing is thrown.
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    CTOML_TABLE = 1,
    CTOML_ARRAY = 2,
    CTOML_STRING = 3,
    CTOML_INTEGER = 4,
    CTOML_FLOAT = 5,
    CTOML_BOOLEAN = 6,
    CTOML_TIME = 7, // a date, a time of day or both, of no particular place
    CTOML_MOMENT = 8 // date and time of day with an offset from UTC
} ctoml_kind;

// Lines and columns count from 1, columns in characters. Texts live as long as the document and are
// UTF-8; they may contain zero bytes, hence the lengths.
typedef struct {
    int32_t parent; // index of the table or array this stands in, always smaller; -1 for the document
    int32_t kind;   // ctoml_kind
    const char *key; // NULL for the document and in arrays
    size_t key_length;
    uint32_t key_line, key_column;
    uint32_t line, column;
    const char *text; // CTOML_STRING only
    size_t text_length;
    int64_t integer; // CTOML_INTEGER; CTOML_BOOLEAN: 0 or 1; CTOML_MOMENT: seconds since 1970
    double number;   // CTOML_FLOAT
} ctoml_node;

typedef struct ctoml_document ctoml_document;

// Never NULL. Asks nothing of the bytes: what is no TOML answers with an error.
ctoml_document *ctoml_parse(const char *bytes, size_t length);
void ctoml_free(ctoml_document *document);

// NULL when the text is TOML; else a sentence about the first thing that is not.
const char *ctoml_error(const ctoml_document *document, uint32_t *line, uint32_t *column);

// Node 0 is the document itself. No nodes when there is an error.
size_t ctoml_count(const ctoml_document *document);
const ctoml_node *ctoml_node_at(const ctoml_document *document, size_t index);

#ifdef __cplusplus
}
#endif
