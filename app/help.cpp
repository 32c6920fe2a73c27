#include "app/help.hpp"

#include <algorithm>

#include "lib/version.hpp"

namespace geomconv {

namespace {

constexpr std::size_t kWidth = 96;
constexpr std::size_t kColumn = 34;  ///< where the explanations start

/// Those that the lists show.
std::vector<CommandRow> shownCommands() {
    const auto all = commandTable();
    std::vector<CommandRow> out(all.begin(), all.end());
    std::erase_if(out, [](const CommandRow& row) { return row.hidden; });
    return out;
}

/// Words of `text` in lines of at most kWidth, each indented.
std::string wrapped(std::string_view text, std::size_t indent) {
    std::string out;
    std::string line;
    const auto put = [&] {
        out += std::string(indent, ' ') + line + '\n';
        line.clear();
    };
    while (!text.empty()) {
        const std::size_t space = text.find(' ');
        const std::string_view word = text.substr(0, space);
        if (!line.empty() && indent + line.size() + 1 + word.size() > kWidth) put();
        if (!line.empty()) line += ' ';
        line += word;
        text.remove_prefix(space == std::string_view::npos ? text.size() : space + 1);
    }
    if (!line.empty()) put();
    return out;
}

/// Two columns: the term, and its explanation wrapped.
std::string entry(const std::string& term, std::string_view text) {
    const std::string left = "  " + term;
    std::string right = wrapped(text, kColumn);
    if (left.size() + 2 > kColumn) return left + '\n' + right;
    if (right.empty()) return left + '\n';
    return left + std::string(kColumn - left.size(), ' ') + right.substr(kColumn);
}

std::string term(const OptionRow& row) {
    std::string out = row.letter != 0 ? std::string("-") + row.letter + ", " : std::string("    ");
    out += "--" + std::string(row.name);
    if (!row.value.empty()) out += ' ' + std::string(row.value);
    return out;
}

std::string explained(const OptionRow& row) {
    return std::string(row.help) + (row.repeatable ? "; repeatable" : "");
}

std::string ownersOf(const FormatOption& option) {
    std::string out;
    for (const std::string_view owner : option.owners) out += (out.empty() ? "" : ", ") + std::string(owner);
    return out;
}

/// Options that the command itself has are not repeated under the formats.
std::vector<FormatOption> ownFormatOptions(const CommandRow& command, const FormatTable& formats) {
    std::vector<FormatOption> out = formatOptions(command, formats);
    std::erase_if(out, [&](const FormatOption& option) {
        return std::any_of(command.groups.begin(), command.groups.end(), [&](const OptionGroup& group) {
            return std::any_of(group.rows.begin(), group.rows.end(),
                               [&](const OptionRow& row) { return row.name == option.row.name; });
        });
    });
    return out;
}

/// "Options of sur" and so on, in the order of the rows; options of several formats stand with the first.
std::vector<std::pair<std::string, std::vector<FormatOption>>> grouped(const std::vector<FormatOption>& options) {
    std::vector<std::pair<std::string, std::vector<FormatOption>>> out;
    for (const FormatOption& option : options) {
        const std::string owners = ownersOf(option);
        auto group = std::find_if(out.begin(), out.end(), [&](const auto& g) { return g.first == owners; });
        if (group == out.end()) group = out.insert(out.end(), {owners, {}});
        group->second.push_back(option);
    }
    return out;
}

/// What `--content` means for each format.
std::vector<std::pair<std::string, std::string>> contentDefaults(const CommandRow& command,
                                                                 const FormatTable& formats) {
    std::vector<std::pair<std::string, std::string>> out;
    const bool asks = std::any_of(command.groups.begin(), command.groups.end(), [](const OptionGroup& group) {
        return std::any_of(group.rows.begin(), group.rows.end(),
                           [](const OptionRow& r) { return r.name == "content"; });
    });
    if (!asks) return out;
    for (const Format* row : formats.rows()) {
        if (!row->contents.empty()) out.emplace_back(std::string(row->id), std::string(row->contents));
    }
    return out;
}

}  // namespace

std::string programHelp() {
    std::string out = "geomconv " + std::string(kVersion) +
                      ": a converter for the collision and mesh formats of old games\n\n"
                      "Usage: geomconv [-v|-q] [--color auto|always|never] COMMAND ...\n\nCommands:\n";
    for (const CommandRow& row : shownCommands()) out += entry(std::string(row.name), row.summary);
    out += "\nOptions of every command:\n";
    for (const OptionRow& row : globalOptions()) out += entry(term(row), row.help);
    out += entry("    --version", "Print the version");
    out += "\nExamples:\n";
    for (const CommandRow& row : shownCommands()) {
        if (!row.examples.empty()) out += "  " + std::string(row.examples.front().command) + '\n';
    }
    out += "\ngeomconv COMMAND --help explains a command.\n";
    return out;
}

std::string commandHelp(const CommandRow& command, const FormatTable& formats) {
    std::string usage = "Usage: geomconv " + std::string(command.name);
    if (!command.usage.empty()) usage += ' ' + std::string(command.usage);
    std::string out = usage + " [options]\n\n" + wrapped(std::string(command.summary) + '.', 0);
    if (!command.text.empty()) out += '\n' + wrapped(command.text, 0);
    if (!command.positionals.empty()) {
        out += "\nArguments:\n";
        for (const Positional& p : command.positionals) out += entry(std::string(p.name), p.help);
    }
    for (const OptionGroup& group : command.groups) {
        out += '\n' + std::string(group.title) + ":\n";
        for (const OptionRow& row : group.rows) out += entry(term(row), explained(row));
    }
    for (const auto& [owners, options] : grouped(ownFormatOptions(command, formats))) {
        out += "\nOptions of " + owners + ":\n";
        for (const FormatOption& option : options) out += entry(term(option.row), explained(option.row));
    }
    const auto contents = contentDefaults(command, formats);
    if (!contents.empty()) out += "\nWhat --content means:\n";
    for (const auto& [id, text] : contents) out += entry(id, text);
    out += "\nOptions of every command:\n";
    for (const OptionRow& row : globalOptions()) out += entry(term(row), row.help);
    out += "\nExamples:\n";
    for (const Example& example : command.examples) {
        out += "  " + std::string(example.command) + '\n';
        if (!example.does.empty()) out += "      " + std::string(example.does) + '\n';
    }
    return out;
}

// ------------------------------------------------------------------------------------------------- manual page

namespace {

/// Text for roff: backslashes and minus signs escaped, no line that begins with a control character.
std::string roff(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '\\')
            out += "\\e";
        else if (c == '-')
            out += "\\-";
        else if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n'))
            (out += "\\&") += c;
        else
            out += c;
    }
    return out;
}

std::string roffOption(const OptionRow& row) {
    std::string head = row.letter != 0 ? "\\fB\\-" + std::string(1, row.letter) + "\\fR, " : std::string();
    head += "\\fB\\-\\-" + roff(row.name) + "\\fR";
    if (!row.value.empty()) head += " \\fI" + roff(row.value) + "\\fR";
    return ".TP\n" + head + '\n' + roff(explained(row)) + ".\n";
}

constexpr std::pair<std::string_view, std::string_view> kExits[] = {
    {"0", "Done. validate: no error found; warnings alone do not change it unless --strict"},
    {"1", "The input is not what it claims: malformed, unsupported, refused geometry, validation error"},
    {"2", "The command line is wrong"},
    {"3", "The system said no: missing file, permission, disk full, broken pipe on output"},
    {"4", "Several inputs: at least one failed, the others were done"},
    {"130", "Interrupted: nothing half-written"},
};

}  // namespace

std::string manualPage(const FormatTable& formats) {
    std::string out = ".TH GEOMCONV 1 \"\" \"geomconv " + std::string(kVersion) + "\" \"User Commands\"\n";
    out += ".SH NAME\ngeomconv \\- convert collision and mesh formats of old games\n";
    out += ".SH SYNOPSIS\n.B geomconv\n[\\-v|\\-q] [\\-\\-color auto|always|never] \\fICOMMAND\\fR ...\n";
    out +=
        ".SH DESCRIPTION\n"
        "Reads, checks, converts, builds and patches geometry. Formats are recognised by content first, by file name\n"
        "second. FILE::MEMBER names a member of a container; a path that exists as it stands wins. A single minus "
        "sign\n"
        "is standard input or output. Standard output carries data and reports, everything else goes to standard "
        "error.\n";
    out += ".SH OPTIONS OF EVERY COMMAND\n";
    for (const OptionRow& row : globalOptions()) out += roffOption(row);
    out += ".TP\n\\fB\\-\\-version\\fR\nPrint the version.\n.SH COMMANDS\n";
    for (const CommandRow& command : shownCommands()) {
        out += ".SS geomconv " + roff(command.name);
        if (!command.usage.empty()) out += ' ' + roff(command.usage);
        out += '\n' + roff(command.summary) + ".\n";
        if (!command.text.empty()) out += roff(command.text) + '\n';
        for (const Positional& p : command.positionals) {
            out += ".TP\n\\fI" + roff(p.name) + "\\fR\n" + roff(p.help) + ".\n";
        }
        for (const OptionGroup& group : command.groups) {
            for (const OptionRow& row : group.rows) out += roffOption(row);
        }
        for (FormatOption option : ownFormatOptions(command, formats)) {
            const std::string help = ownersOf(option) + ": " + std::string(option.row.help);
            option.row.help = help;
            out += roffOption(option.row);
        }
        for (const Example& example : command.examples) {
            out += ".PP\n" + roff(example.does) + ":\n.PP\n.RS 4\n.nf\n" + roff(example.command) + "\n.fi\n.RE\n";
        }
    }
    out += ".SH FORMATS\n";
    for (const Format* row : formats.rows()) {
        std::string names;
        for (const std::string_view e : row->extensions) names += (names.empty() ? "" : ", ") + std::string(e);
        out += ".TP\n\\fB" + roff(row->id) + "\\fR\n" + roff(row->title) + " (" + roff(names) + ").\n";
        if (!row->contents.empty()) out += "\\-\\-content: " + roff(row->contents) + ".\n";
    }
    out += ".SH EXIT STATUS\n";
    for (const auto& [code, text] : kExits) out += ".TP\n.B " + std::string(code) + '\n' + roff(text) + ".\n";
    out += ".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nNo colours when set to anything.\n";
    return out;
}

// ------------------------------------------------------------------------------------------------- completions

namespace {

/// The options of a command as rows, the formats' included, one for each name.
std::vector<OptionRow> optionsOf(const CommandRow& command, const FormatTable& formats) {
    std::vector<OptionRow> out;
    for (const OptionGroup& group : command.groups) out.insert(out.end(), group.rows.begin(), group.rows.end());
    for (const FormatOption& option : ownFormatOptions(command, formats)) {
        const auto same = [&](const OptionRow& row) { return row.name == option.row.name; };
        if (std::none_of(out.begin(), out.end(), same)) out.push_back(option.row);
    }
    const auto global = globalOptions();
    out.insert(out.end(), global.begin(), global.end());
    return out;
}

/// "auto be le", format ids for ID, empty for files and numbers.
std::string wordsFor(const OptionRow& row, const FormatTable& formats) {
    std::string out;
    if (row.choices) {
        out = row.value;
        std::replace(out.begin(), out.end(), '|', ' ');
    } else if (row.value == "ID") {
        for (const Format* format : formats.rows()) {
            if (row.name == "to" && !canWrite(*format)) continue;
            if (row.name == "from" && !canRead(*format)) continue;
            out += (out.empty() ? "" : " ") + std::string(format->id);
        }
    }
    return out;
}

std::string commandNames() {
    std::string out;
    for (const CommandRow& row : shownCommands()) out += (out.empty() ? "" : " ") + std::string(row.name);
    return out;
}

std::string bashCompletion(const FormatTable& formats) {
    std::string out =
        "# bash completion of geomconv\n"
        "_geomconv() {\n"
        "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command= i\n"
        "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
        "        case ${COMP_WORDS[i]} in\n"
        "            --color) ((i++)) ;;\n"
        "            -*) ;;\n"
        "            *) command=${COMP_WORDS[i]}; break ;;\n"
        "        esac\n"
        "    done\n"
        "    COMPREPLY=()\n"
        "    case $command in\n"
        "        '')\n"
        "            if [[ $prev == --color ]]; then COMPREPLY=($(compgen -W 'auto always never' -- \"$cur\")); "
        "return; fi\n"
        "            COMPREPLY=($(compgen -W '" +
        commandNames() + " --version";
    for (const OptionRow& row : globalOptions()) out += " --" + std::string(row.name);
    out += "' -- \"$cur\")) ;;\n";
    for (const CommandRow& command : shownCommands()) {
        out += "        " + std::string(command.name) + ")\n            case $prev in\n";
        std::string all;
        for (const OptionRow& row : optionsOf(command, formats)) {
            all += " --" + std::string(row.name);
            if (row.value.empty()) continue;
            std::string pattern = "--" + std::string(row.name);
            if (row.letter != 0) pattern += std::string("|-") + row.letter;
            const std::string words = wordsFor(row, formats);
            out += "                " + pattern + ") COMPREPLY=($(compgen ";
            out += words.empty() ? "-f" : "-W '" + words + "'";
            out += " -- \"$cur\")); return ;;\n";
        }
        out += "            esac\n            if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W '" + all.substr(1) +
               "' -- \"$cur\"))\n            else ";
        if (command.words.empty()) {
            out += "COMPREPLY=($(compgen -f -- \"$cur\"))";
        } else {
            std::string words(command.words);
            std::replace(words.begin(), words.end(), '|', ' ');
            out += "COMPREPLY=($(compgen -W '" + words + "' -- \"$cur\"))";
        }
        out += "; fi ;;\n";
    }
    out += "    esac\n}\ncomplete -o filenames -F _geomconv geomconv\n";
    return out;
}

/// Text inside single quotes and zsh's square brackets.
std::string zshText(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '\'')
            out += "'\\''";
        else if (c == '[' || c == ']' || c == ':')
            (out += '\\') += c;
        else
            out += c;
    }
    return out;
}

std::string zshCompletion(const FormatTable& formats) {
    std::string out =
        "#compdef geomconv\n# zsh completion of geomconv\n_geomconv() {\n    local context state line\n    local -a "
        "commands\n    commands=(\n";
    for (const CommandRow& row : shownCommands()) {
        out += "        '" + std::string(row.name) + ':' + zshText(row.summary) + "'\n";
    }
    out += "    )\n    _arguments -C '--version[Print the version]'";
    const auto argument = [&](const OptionRow& row) {
        const std::string star = row.repeatable ? "*" : "";
        std::string rest = '[' + zshText(row.help) + ']';
        if (!row.value.empty()) {
            const std::string words = wordsFor(row, formats);
            rest += ':' + zshText(row.value) + ':' + (words.empty() ? "_files" : '(' + words + ')');
        }
        std::string text = " \\\n            '" + star + "--" + std::string(row.name) + rest + '\'';
        if (row.letter != 0) text += " \\\n            '" + star + '-' + row.letter + rest + '\'';
        return text;
    };
    for (const OptionRow& row : globalOptions()) out += argument(row);
    out +=
        " \\\n            '1: :->command' '*:: :->rest'\n"
        "    case $state in\n"
        "        command) _describe -t commands 'command' commands ;;\n"
        "        rest)\n            case $line[1] in\n";
    for (const CommandRow& command : shownCommands()) {
        out += "        " + std::string(command.name) + ") _arguments";
        for (const OptionRow& row : optionsOf(command, formats)) out += argument(row);
        std::string words(command.words);
        std::replace(words.begin(), words.end(), '|', ' ');
        out +=
            words.empty() ? " \\\n            '*:file:_files' ;;\n" : " \\\n            '*:word:(" + words + ")' ;;\n";
    }
    out +=
        "            esac ;;\n    esac\n}\nif [ \"$funcstack[1]\" = _geomconv ]; then _geomconv \"$@\"; else compdef "
        "_geomconv geomconv; fi\n";
    return out;
}

std::string fishText(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '\'' || c == '\\') out += '\\';
        out += c;
    }
    return out;
}

std::string fishOption(const OptionRow& row, const std::string& condition, const FormatTable& formats) {
    std::string out = "complete -c geomconv -n '" + condition + "' -l " + std::string(row.name);
    if (row.letter != 0) out += std::string(" -s ") + row.letter;
    if (!row.value.empty()) {
        const std::string words = wordsFor(row, formats);
        out += words.empty() ? " -r -F" : " -x -a '" + words + "'";
    }
    return out + " -d '" + fishText(row.help) + "'\n";
}

std::string fishCompletion(const FormatTable& formats) {
    std::string out =
        "# fish completion of geomconv\ncomplete -c geomconv -n __fish_use_subcommand -f -l version -d 'Print the "
        "version'\n";
    for (const OptionRow& row : globalOptions()) out += fishOption(row, "__fish_use_subcommand", formats);
    for (const CommandRow& command : shownCommands()) {
        const std::string name(command.name);
        out +=
            "complete -c geomconv -n __fish_use_subcommand -f -a " + name + " -d '" + fishText(command.summary) + "'\n";
        const std::string condition = "__fish_seen_subcommand_from " + name;
        for (const OptionRow& row : optionsOf(command, formats)) out += fishOption(row, condition, formats);
        if (!command.words.empty()) {
            std::string words(command.words);
            std::replace(words.begin(), words.end(), '|', ' ');
            out += "complete -c geomconv -n '" + condition + "' -f -a '" + words + "'\n";
        }
    }
    return out;
}

}  // namespace

std::string completionScript(std::string_view shell, const FormatTable& formats) {
    if (shell == "bash") return bashCompletion(formats);
    if (shell == "zsh") return zshCompletion(formats);
    if (shell == "fish") return fishCompletion(formats);
    return {};
}

}  // namespace geomconv
