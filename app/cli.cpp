#include "app/cli.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <system_error>

#include "app/help.hpp"
#include "app/interrupt.hpp"
#include "app/usage_error.hpp"
#include "lib/bytes/text.hpp"
#include "lib/files/system_error.hpp"
#include "lib/version.hpp"

namespace geomconv {

namespace {

bool isNumber(const std::string& text) {
    return realFromText(text).has_value();
}

std::string spelled(const OptionRow& row) {
    return "--" + std::string(row.name);
}

/// "-o" or "--output", whichever the user has.
std::string flagNames(const OptionRow& row) {
    return row.letter != 0 ? std::string("-") + row.letter + "," + spelled(row) : spelled(row);
}

/// Steps from one word to the other: inserted, dropped, changed letters.
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row[b.size()];
}

/// "; did you mean --output?" or nothing.
std::string suggestion(std::string_view word, const std::vector<std::string>& known) {
    const std::string* best = nullptr;
    std::size_t least = word.size() / 3 + 1;
    for (const std::string& candidate : known) {
        const std::size_t steps = distance(word, candidate);
        if (steps <= least && (best == nullptr || steps < least)) {
            best = &candidate;
            least = steps;
        }
    }
    return best == nullptr ? std::string() : "; did you mean " + *best + "?";
}

void checkChoice(const OptionRow& row, const std::string& value) {
    if (!row.choices) return;
    std::string_view rest = row.value;
    std::string words;
    while (!rest.empty()) {
        const std::size_t bar = rest.find('|');
        const std::string_view word = rest.substr(0, bar);
        if (word == value) return;
        words += (words.empty() ? "" : ", ") + std::string(word);
        rest.remove_prefix(bar == std::string_view::npos ? rest.size() : bar + 1);
    }
    throw UsageError(spelled(row) + ": '" + printable(value) + "' is none of " + words);
}

/// "N" or "N|all": a number in the row's range, or one of the other words.
void checkNumber(const OptionRow& row, const std::string& value) {
    if (!row.range || (row.value != "N" && !row.value.starts_with("N|"))) return;
    if (row.value.size() > 2 && row.value.substr(2) == value) return;
    const auto [least, most] = *row.range;
    const auto number = wholeFromText(value);
    if (number && *number >= least && *number <= most) return;
    const std::string other = row.value == "N" ? std::string() : ", nor " + std::string(row.value.substr(2));
    throw UsageError(noWholeNumber(row.name, value, least, most) + other);
}

/// A row with CLI11's option for it and where its values go.
struct Slot {
    OptionRow row;
    OptionValues* values;
    CLI::Option* option = nullptr;
    std::vector<std::string> results = {};
};

void addSlot(CLI::App& app, Slot& slot) {
    // CLI11 splits "[a,b]" and swallows positionals behind vector options unless told not to.
    if (slot.row.value.empty()) {
        slot.option = app.add_flag(flagNames(slot.row));
    } else {
        slot.option = app.add_option_function<std::string>(
            flagNames(slot.row), [&slot](const std::string& value) { slot.results.push_back(value); });
        slot.option->expected(1)->allow_extra_args(false)->trigger_on_parse();
    }
    slot.option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void takeResults(Slot& slot) {
    const OptionRow& row = slot.row;
    if (row.value.empty()) {
        for (const std::string& result : slot.option->results()) {
            if (result != "true") throw UsageError(spelled(row) + " takes no value");
        }
        if (slot.option->count() > 0) slot.values->set(std::string(row.name), "");
        return;
    }
    if (slot.results.size() > 1 && !row.repeatable) throw UsageError(spelled(row) + " was given more than once");
    for (const std::string& value : slot.results) {
        checkChoice(row, value);
        checkNumber(row, value);
        slot.values->set(std::string(row.name), value);
    }
}

/// Checks CLI11 would pass over: `--name=` takes the next argument, `-o --to` takes an option as the value. Behind a
/// lone `--` nothing is an option.
void checkValues(const std::vector<std::string>& arguments, const std::vector<Slot>& slots) {
    const auto slotNamed = [&](const std::string& text) -> const Slot* {
        for (const Slot& slot : slots) {
            if (text == spelled(slot.row)) return &slot;
            if (slot.row.letter != 0 && text == std::string("-") + slot.row.letter) return &slot;
        }
        return nullptr;
    };
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string& text = arguments[i];
        if (text == "--") return;
        if (text.size() > 3 && text.starts_with("--") && text.back() == '=' && text.find('=') == text.size() - 1) {
            throw UsageError(text.substr(0, text.size() - 1) + " needs a value behind the =");
        }
        const Slot* slot = slotNamed(text);
        if (slot == nullptr || slot->row.value.empty()) continue;
        if (i + 1 == arguments.size() || slotNamed(arguments[i + 1]) != nullptr || arguments[i + 1] == "--") {
            throw UsageError(text + " needs a value: " + std::string(slot->row.value));
        }
        ++i;
    }
}

GlobalOptions globalFrom(const Arguments& arguments) {
    GlobalOptions out;
    if (arguments.has("verbose") && arguments.has("quiet")) throw UsageError("-v and -q exclude each other");
    if (arguments.has("verbose")) out.verbosity = Verbosity::Verbose;
    if (arguments.has("quiet")) out.verbosity = Verbosity::Quiet;
    constexpr std::array kWhen{ColorWhen::Auto, ColorWhen::Always, ColorWhen::Never};
    out.color = kWhen[arguments.choice("color", {"auto", "always", "never"})];
    out.progress = !arguments.has("no-progress");
    return out;
}

void checkPositionals(const CommandRow& command, const std::vector<std::string>& positionals) {
    const std::string name(command.name);
    if (positionals.size() < command.least) {
        const Positional& missing = command.positionals[std::min(positionals.size(), command.positionals.size() - 1)];
        std::string word(missing.name);
        while (word.ends_with('.')) word.pop_back();
        throw UsageError(name + " needs " + word + "; see geomconv " + name + " --help");
    }
    if (positionals.size() > command.most) {
        throw UsageError(name + " does not take '" + printable(positionals[command.most]) + "'; see geomconv " + name +
                         " --help");
    }
    for (const std::string& text : positionals) {
        if (text.empty()) throw UsageError("an empty argument names nothing");
    }
}

}  // namespace

Opening readOpening(const std::vector<std::string>& arguments) {
    Opening out;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string& text = arguments[i];
        if (text == "--help" || text == "-h") out.help = true;
        if (text == "--version") out.version = true;
        if (text.empty() || text.front() != '-' || text == "-") {
            out.command = i;
            return out;
        }
        if (text == "--color") ++i;
    }
    out.command = arguments.size();
    return out;
}

Parsed parse(const CommandRow& command, const FormatTable& formats, const std::vector<std::string>& arguments,
             std::size_t commandAt) {
    Parsed out;
    Arguments global;
    std::vector<Slot> slots;
    for (const OptionRow& row : globalOptions()) slots.push_back({row, &global.options});
    for (const OptionGroup& group : command.groups) {
        for (const OptionRow& row : group.rows) slots.push_back({row, &out.arguments.options});
    }
    for (const FormatOption& option : formatOptions(command, formats)) {
        const auto taken = std::find_if(slots.begin(), slots.end(),
                                        [&](const Slot& slot) { return slot.row.name == option.row.name; });
        if (taken == slots.end()) {
            slots.push_back({option.row, &out.arguments.format});
            continue;
        }
        if (taken->values != &out.arguments.format) continue;
        // Formats that take different values under one name judge them themselves.
        taken->row.repeatable = taken->row.repeatable || option.row.repeatable;
        if (taken->row.value == option.row.value) continue;
        taken->row.choices = false;
        taken->row.range.reset();
    }

    CLI::App app;
    app.set_help_flag();
    app.allow_extras();
    for (Slot& slot : slots) addSlot(app, slot);

    std::vector<std::string> words = arguments;
    words.erase(words.begin() + static_cast<std::ptrdiff_t>(commandAt));
    const auto dashes = std::find(words.begin(), words.end(), "--");
    if (std::any_of(words.begin(), dashes, [](const std::string& w) { return w == "--help" || w == "-h"; })) {
        out.help = true;
        return out;
    }
    for (auto word = words.begin(); word != dashes; ++word) {
        // "-.5" would read as the option -. with the value 5.
        if (word->starts_with("-.") && isNumber(*word)) word->insert(1, "0");
    }
    checkValues(words, slots);
    try {
        std::reverse(words.begin(), words.end());  // CLI11 takes the arguments last first
        app.parse(words);
    } catch (const CLI::ParseError& e) {
        throw UsageError(printable(e.what()));
    }
    bool onlyPositionals = false;
    for (const std::string& text : app.remaining()) {
        if (text == "--" && !onlyPositionals) {
            onlyPositionals = true;
            continue;
        }
        if (!onlyPositionals && text.size() > 1 && text.front() == '-' && !isNumber(text)) {
            std::vector<std::string> known;
            for (const Slot& slot : slots) known.push_back(spelled(slot.row));
            throw UsageError(std::string(command.name) + " has no option " + printable(text) + suggestion(text, known));
        }
        out.arguments.positionals.push_back(text);
    }
    for (Slot& slot : slots) takeResults(slot);
    out.global = globalFrom(global);
    checkPositionals(command, out.arguments.positionals);
    return out;
}

namespace {

/// Of a command line without a command. Throws UsageError for an option that only looks like one of every command's.
void refuseUnknownGlobal(const std::string& text) {
    if (text.size() < 2 || text.front() != '-') return;
    const std::string name = text.substr(0, text.find('='));
    for (const OptionRow& row : globalOptions()) {
        if (name == spelled(row) || (row.letter != 0 && name == std::string("-") + row.letter)) return;
    }
    throw UsageError("geomconv has no option " + printable(text) + " (geomconv --help lists those of every command)");
}

ExitCode runWith(Console& plain, const std::vector<std::string>& arguments) {
    const Opening opening = readOpening(arguments);
    if (opening.version) {
        plain.out("geomconv " + std::string(kVersion) + "\n");
        return ExitCode::Done;
    }
    if (opening.help) {
        plain.out(programHelp());
        return ExitCode::Done;
    }
    if (opening.command == arguments.size()) {
        for (const std::string& text : arguments) refuseUnknownGlobal(text);
        throw UsageError("which command? geomconv --help lists them");
    }
    const std::string& name = arguments[opening.command];
    const FormatTable& formats = allFormats();
    if (name == "help") {
        const bool named = opening.command + 1 < arguments.size();
        const CommandRow* asked = named ? commandNamed(arguments[opening.command + 1]) : nullptr;
        if (named && asked == nullptr) {
            throw UsageError("there is no command '" + printable(arguments[opening.command + 1]) +
                             "' (geomconv --help lists them)");
        }
        plain.out(asked != nullptr ? commandHelp(*asked, formats) : programHelp());
        return ExitCode::Done;
    }
    const CommandRow* command = commandNamed(name);
    if (command == nullptr) {
        std::vector<std::string> known;
        for (const CommandRow& row : commandTable()) {
            if (!row.hidden) known.emplace_back(row.name);
        }
        std::error_code ignored;
        if (std::filesystem::is_regular_file(pathFromUtf8(name), ignored)) {
            throw UsageError("'" + printable(name) + "' is a file; a command comes first: geomconv info " +
                             printable(name) + " says what is in it");
        }
        throw UsageError("there is no command '" + printable(name) + "'" + suggestion(name, known) +
                         " (geomconv --help lists them)");
    }
    const Parsed parsed = parse(*command, formats, arguments, opening.command);
    if (parsed.help) {
        plain.out(commandHelp(*command, formats));
        return ExitCode::Done;
    }
    Console console(parsed.global);
    Context context{console, formats};
    return guarded(console, "", [&] { return command->run(parsed.arguments, context); });
}

}  // namespace

int runCommandLine(const std::vector<std::string>& arguments) {
    keepStandardDescriptors();
    installSignalHandlers();
    Console plain(GlobalOptions{});
    return static_cast<int>(guarded(plain, "", [&] { return runWith(plain, arguments); }));
}

}  // namespace geomconv
