#!/usr/bin/env python3
"""Writes lib/bytes/cp932_table.hpp: Microsoft code page 932 (Shift-JIS) to Unicode, from Python's own codec.

    scripts/make-cp932-table.py > lib/bytes/cp932_table.hpp

One row per lead byte 0x81..0x9f and 0xe0..0xfc, one character per trail byte 0x40..0xfc (0x7f is never a trail byte);
U+FFFD stands where the code page defines nothing. Rows are cut behind their last character. The user-defined rows
0xf0..0xf9 are computed by the decoder and left empty here.
"""


def cell(lead, trail):
    try:
        text = bytes((lead, trail)).decode("cp932")
    except UnicodeDecodeError:
        return "\ufffd"
    return text if len(text) == 1 and ord(text) < 0x10000 else "\ufffd"


def escaped(text):
    return "".join("\\ufffd" if c == "\ufffd" else "\\u3000" if c == "\u3000" else "\\\\" if c == "\\" else c for c in text)


def main():
    print("#pragma once\n")
    print("// Made by scripts/make-cp932-table.py; not to be edited.\n")
    print("#include <array>\n#include <string_view>\n")
    print("namespace geomconv {\n")
    print("/// Rows of code page 932 by lead byte (0x81..0x9f, then 0xe0..0xfc), characters by trail byte from 0x40.")
    print("// clang-format off")
    print("inline constexpr std::array<std::u16string_view, 60> kCp932Rows{")
    for lead in [*range(0x81, 0xa0), *range(0xe0, 0xfd)]:
        row = ""
        if not 0xf0 <= lead <= 0xf9:
            row = "".join(cell(lead, trail) for trail in range(0x40, 0xfd)).rstrip("\ufffd")
        print(f'    u"{escaped(row)}",')
    print("};\n// clang-format on\n")
    print("}  // namespace geomconv")


main()
