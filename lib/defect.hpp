#pragma once

#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace geomconv {

enum class Severity { Warning, Error };

/// One step of nesting inside a file: "hull 3", "part 0xA1B2C3D4", "object MDL_body", "record 12 'rou_e106_eng'".
/// The number is kept as text because some records are known by id or by name.
struct Place {
    std::string noun;
    std::string number;
    std::string name = {};  ///< printable, where a record has a number and a name

    bool operator==(const Place&) const = default;
};

/// What is wrong, where, and what was expected. Shared by exceptions, `validate` and batch reports.
struct Defect {
    Severity severity = Severity::Error;
    std::string kind;                     ///< stable slug of the format's FORMAT.md: `index-range`, `truncated`
    std::optional<std::uint64_t> offset;  ///< bytes from the start of the outermost input (of the unpacked member)
    std::vector<Place> where;             ///< innermost first: hull 3, part 0xA1B2C3D4
    std::string detail;                   ///< the numbers, as a sentence without a full stop

    bool operator==(const Defect&) const = default;
};

/// "offset 0x1c4: hull 3 of part 0xA1B2C3D4: face count 65535 needs 1048560 bytes, 212 left"
std::string toText(const Defect& defect);

/// The defect as a warning: what a reader passes over and goes on.
Defect asWarning(Defect defect);

/// Something a reader cannot go past: a broken or unsupported file.
class FormatError : public std::exception {
public:
    explicit FormatError(Defect defect);
    /// An error that no one byte of the input is to blame for.
    FormatError(std::string_view kind, std::string detail, std::vector<Place> where = {});
    const Defect& defect() const noexcept { return defect_; }
    const char* what() const noexcept override { return text_.c_str(); }

private:
    Defect defect_;
    std::string text_;
};

/// An input mesh that a format cannot hold.
class GeometryError : public std::exception {
public:
    /// object: the mesh's name; rule: what is broken, as a slug; detail: value and limit, as a sentence.
    GeometryError(std::string object, std::string rule, std::string detail);
    const std::string& object() const noexcept { return object_; }
    const std::string& rule() const noexcept { return rule_; }
    const std::string& detail() const noexcept { return detail_; }
    const char* what() const noexcept override { return text_.c_str(); }

private:
    std::string object_;
    std::string rule_;
    std::string detail_;
    std::string text_;
};

/// The list that readers and checkers fill. Order is the order of discovery, which follows the file.
/// A kind that repeats is kept up to kMaxPerKind times; the rest is only counted, so that a damaged file of a
/// million records does not make a million messages.
class Defects {
public:
    static constexpr std::size_t kMaxPerKind = 100;

    void add(Defect defect);
    void warn(std::string_view kind, std::optional<std::uint64_t> offset, std::vector<Place> where, std::string detail);
    void error(std::string_view kind, std::optional<std::uint64_t> offset, std::vector<Place> where,
               std::string detail);
    /// For what `--recover` passes over: with recover the defect is added as a warning, without it is thrown as a
    /// FormatError.
    void refuse(Defect defect, bool recover);

    const std::vector<Defect>& list() const noexcept { return list_; }
    bool empty() const noexcept { return list_.empty(); }
    /// How many were added with this severity, those not kept included.
    std::size_t count(Severity severity) const noexcept;
    /// How many of this kind were added, those not kept included.
    std::size_t count(std::string_view kind) const noexcept;
    /// Kinds of which some were not kept, with the number left out.
    std::vector<std::pair<std::string, std::size_t>> leftOut() const;

private:
    struct Tally {
        std::string kind;
        std::size_t added = 0;
        std::size_t kept = 0;
    };
    std::vector<Defect> list_;
    std::vector<Tally> tallies_;
    std::size_t warnings_ = 0;
    std::size_t errors_ = 0;
};

/// Runs a reading function for `check`: what it throws as a FormatError goes into the list.
template <class Read>
void collectDefects(Defects& defects, Read&& read) {
    try {
        read();
    } catch (const FormatError& e) {
        defects.add(e.defect());
    }
}

/// "0x1c4", the way offsets, sizes in hex and masks are shown everywhere.
std::string hex(std::uint64_t value);
/// "0xA1B2C3D4", the way ids are shown everywhere: eight upper-case digits.
std::string hexId(std::uint32_t value);

}  // namespace geomconv
