#pragma once

#include <cstring>
#include <string>
#include <string_view>

#include "lib/bytes/bytes.hpp"

namespace geomconv::obj {

/// A place in the text that never leaves it. Lines end with LF or CR LF; a backslash before the line's end joins it
/// with the next one.
struct LineCursor {
    const char* at;
    const char* end;

    /// Passes blanks, tabs and joined line ends.
    void blanks() {
        while (at < end) {
            if (*at == ' ' || *at == '\t')
                ++at;
            else if (*at != '\\' || !joins())
                return;
        }
    }
    /// Whether nothing but a comment is left of the line. Blanks have been passed.
    bool atLineEnd() const { return at >= end || *at == '\n' || *at == '\r' || *at == '#'; }
    /// Whether a number or word may end here.
    bool atWordEnd() const {
        if (at >= end || static_cast<unsigned char>(*at) <= ' ' || *at == '#') return true;
        return *at == '\\' && lineEndAt(at + 1);
    }
    /// Goes to the start of the next line. Comments are not joined with the next line: they often end in a backslash
    /// that belongs to a path.
    void nextLine() {
        if (at < end && *at == '\n')
            ++at;
        else
            searchNextLine();
    }
    /// The next word of the line, empty at its end.
    std::string_view word() {
        blanks();
        const char* const first = at;
        while (!atWordEnd()) ++at;
        return {first, static_cast<std::size_t>(at - first)};
    }
    /// The rest of the line without blanks at its ends: a name, which may hold blanks and #.
    std::string rest() {
        blanks();
        std::string text;
        while (at < end && *at != '\n' && *at != '\r') {
            if (*at == '\\' && joins()) {
                text += ' ';
                continue;
            }
            text += *at++;
        }
        while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.pop_back();
        return text;
    }

private:
    void searchNextLine() {
        bool comment = at < end && *at == '#';
        const char* start = at;
        while (true) {
            const auto left = static_cast<std::size_t>(end - at);
            const char* lf = left == 0 ? nullptr : static_cast<const char*>(std::memchr(at, '\n', left));
            if (lf == nullptr) {
                at = end;
                return;
            }
            const char* last = lf;
            if (last > start && last[-1] == '\r') --last;
            at = lf + 1;
            if (comment || last == start || last[-1] != '\\') return;
            comment = std::memchr(start, '#', static_cast<std::size_t>(last - start)) != nullptr;
            if (comment) return;
            start = at;
        }
    }
    bool lineEndAt(const char* p) const {
        return p < end && (*p == '\n' || (*p == '\r' && p + 1 < end && p[1] == '\n'));
    }
    /// At a backslash: passes it and the line's end when that follows.
    bool joins() {
        if (!lineEndAt(at + 1)) return false;
        at += at[1] == '\n' ? 2 : 3;
        return true;
    }
};

}  // namespace geomconv::obj
