// Each dot of a key is a level of recursion, which toml++ 3.3 does not bound: lines with more of them
// than any key needs are refused before it sees them.
#pragma once
#include <cstddef>
#include <string_view>

namespace ctoml {

constexpr int maximum_dots = 16;

// Counts dots outside quotes and comments, line by line. Every string is seen as quoted here that TOML
// sees as quoted, up to the first thing that is no TOML anyway.
class DotCounter {
public:
    explicit DotCounter(std::string_view text) : text(text) {}

    // Where the first line has too many; text.size() when none has.
    size_t excess()
    {
        for (; at < text.size(); at++) {
            const char c = text[at];
            if (c == '\n') begin_line();
            else if (comment) continue;
            else if (quote != 0) read_quoted(c);
            else if (c == '#') comment = true;
            else if (c == '"' || c == '\'') open_quote(c);
            else if (c == '.' && ++dots > maximum_dots) break;
        }
        return at < text.size() ? at : text.size();
    }

private:
    std::string_view text;
    size_t at = 0;
    int dots = 0; // in this line
    char quote = 0;
    bool several_lines = false; // the quoted text may go on in the next line
    bool comment = false;

    char peek(size_t ahead) const { return at + ahead < text.size() ? text[at + ahead] : '\0'; }

    void begin_line()
    {
        dots = 0;
        comment = false;
        if (!several_lines) quote = 0;
    }

    void open_quote(char c)
    {
        quote = c;
        several_lines = peek(1) == c && peek(2) == c;
        if (several_lines) at += 2;
    }

    void read_quoted(char c)
    {
        if (c == '\\' && quote == '"' && peek(1) != '\n') {
            at++;
        } else if (c == quote && !several_lines) {
            quote = 0;
        } else if (c == quote && peek(1) == c && peek(2) == c) {
            at += 2;
            for (int more = 0; more < 2 && peek(1) == c; more++) at++; // quotes before the closing ones
            quote = 0;
            several_lines = false;
        }
    }
};

} // namespace ctoml
