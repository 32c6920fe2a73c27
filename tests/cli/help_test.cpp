#include "app/help.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "app/cli.hpp"
#include "tests/cli/program.hpp"

namespace geomconv::test {
namespace {

using ::testing::HasSubstr;

/// Every option of a command, the formats' included.
std::vector<OptionRow> optionsOf(const CommandRow& command) {
    std::vector<OptionRow> out;
    for (const OptionGroup& group : command.groups) out.insert(out.end(), group.rows.begin(), group.rows.end());
    for (const FormatOption& option : formatOptions(command, allFormats())) out.push_back(option.row);
    for (const OptionRow& row : globalOptions()) out.push_back(row);
    return out;
}

TEST(CliHelp, EveryCommandHasAnExampleAndASummary) {
    for (const CommandRow& command : commandTable()) {
        EXPECT_FALSE(command.summary.empty()) << command.name;
        EXPECT_FALSE(command.examples.empty()) << command.name;
        for (const Example& example : command.examples)
            EXPECT_THAT(std::string(example.command), HasSubstr("geomconv "));
    }
}

TEST(CliHelp, NoCommandHasTwoOptionsOfOneName) {
    for (const CommandRow& command : commandTable()) {
        std::vector<std::string_view> names;
        for (const OptionGroup& group : command.groups) {
            for (const OptionRow& row : group.rows) names.push_back(row.name);
        }
        for (const OptionRow& row : globalOptions()) names.push_back(row.name);
        std::sort(names.begin(), names.end());
        EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end()) << command.name;
    }
}

TEST(CliHelp, FormatsAgreeOnTheShapeOfAnOption) {
    for (const Format* a : allFormats().rows()) {
        for (const OptionSpec& x : a->options) {
            EXPECT_FALSE(x.help.empty()) << a->id << " --" << x.name;
            for (const Format* b : allFormats().rows()) {
                for (const OptionSpec& y : b->options) {
                    if (x.name != y.name) continue;
                    EXPECT_EQ(x.value.empty(), y.value.empty()) << x.name << ": " << a->id << ", " << b->id;
                }
            }
        }
    }
}

TEST(CliHelp, HelpManualAndCompletionsNameEveryOptionOfTheTable) {
    const std::string manual = manualPage(allFormats());
    const std::string bash = completionScript("bash", allFormats());
    const std::string zsh = completionScript("zsh", allFormats());
    const std::string fish = completionScript("fish", allFormats());
    for (const CommandRow& command : commandTable()) {
        if (command.hidden) continue;
        const std::string help = commandHelp(command, allFormats());
        EXPECT_THAT(programHelp(), HasSubstr("\n  " + std::string(command.name) + ' '));
        EXPECT_THAT(manual, HasSubstr(".SS geomconv " + std::string(command.name)));
        EXPECT_THAT(bash, HasSubstr("        " + std::string(command.name) + ")\n"));
        EXPECT_THAT(zsh, HasSubstr("'" + std::string(command.name) + ":"));
        EXPECT_THAT(fish, HasSubstr(" -a " + std::string(command.name) + " "));
        for (const OptionRow& row : optionsOf(command)) {
            const std::string name(row.name);
            std::string escaped;
            for (const char c : name) escaped += c == '-' ? std::string("\\-") : std::string(1, c);
            EXPECT_THAT(help, HasSubstr("--" + name)) << command.name;
            EXPECT_THAT(manual, HasSubstr("\\-\\-" + escaped + "\\fR")) << command.name;
            EXPECT_THAT(bash, HasSubstr(" --" + name)) << command.name;
            EXPECT_THAT(zsh, HasSubstr("--" + name + "[")) << command.name;
            EXPECT_THAT(fish, HasSubstr("-l " + name + " ")) << command.name;
        }
    }
}

TEST(CliHelp, TheParserTakesEveryOptionOfTheTable) {
    for (const CommandRow& command : commandTable()) {
        for (const OptionRow& row : optionsOf(command)) {
            if (row.name == "help") continue;
            std::vector<std::string> line{std::string(command.name)};
            for (std::size_t i = 0; i < command.least; ++i) line.emplace_back("x");
            line.push_back("--" + std::string(row.name));
            std::string value = "1";
            if (row.choices) value = std::string(row.value.substr(0, row.value.find('|')));
            if (!row.value.empty()) line.push_back(value);
            const Parsed parsed = parse(command, allFormats(), line, 0);
            const std::string name(row.name);
            const bool global = name == "verbose" || name == "quiet" || name == "color" || name == "no-progress";
            EXPECT_TRUE(global || parsed.arguments.has(name) || parsed.arguments.format.has(name))
                << command.name << ' ' << name;
        }
    }
}

TEST(CliHelp, ShowsOptionsOfFormatsOnlyWhereTheyDoSomething) {
    for (const char* name : {"list", "dump", "extract", "floortest", "demo", "formats", "completion"}) {
        EXPECT_EQ(commandHelp(*commandNamed(name), allFormats()).find("Options of g"), std::string::npos) << name;
        EXPECT_TRUE(formatOptions(*commandNamed(name), allFormats()).empty()) << name;
    }
    const Program program;
    const Outcome run = program({"floortest", "x.wad", "1", "1", "1", "--lod", "0"});
    EXPECT_EQ(run.code, 2);
    EXPECT_THAT(run.err, HasSubstr("floortest has no option --lod"));
}

TEST(CliHelp, SaysOfEachFormatWhatItsOptionTakes) {
    const std::string help = commandHelp(*commandNamed("convert"), allFormats());
    // Two formats have a --pose, each of another form.
    const std::size_t ccsf = help.find("--pose NAME");
    const std::size_t groove = help.find("--pose A@F");
    EXPECT_NE(ccsf, std::string::npos);
    EXPECT_NE(groove, std::string::npos);
    for (const CommandRow& command : commandTable()) {
        for (const FormatOption& option : formatOptions(command, allFormats())) {
            const std::string text(option.row.help);
            EXPECT_TRUE(text[0] < 'a' || text[0] > 'z') << option.row.name << ": " << text;
            EXPECT_EQ(text.find('['), std::string::npos) << option.row.name << ": a default stands in ( )";
            EXPECT_FALSE(text.ends_with('.')) << option.row.name;
        }
        for (const OptionGroup& group : command.groups) {
            for (const OptionRow& row : group.rows) EXPECT_FALSE(row.help.ends_with('.')) << row.name;
        }
    }
}

TEST(CliHelp, IsTheSameFromEveryDoor) {
    const Program program;
    const std::string help = program({"convert", "--help"}).out;
    EXPECT_EQ(program({"convert", "-h"}).out, help);
    EXPECT_EQ(program({"help", "convert"}).out, help);
    EXPECT_EQ(program({"convert", "nofile", "-o", "x", "--help"}).code, 0);
    EXPECT_EQ(program({"--help"}).out, programHelp());
}

TEST(CliHelp, CompletionsAreSoundShell) {
    const Program program;
    EXPECT_EQ(program.shell("$G completion bash | bash -n").code, 0);
    const Outcome words = program.shell(
        "source <($G completion bash); COMP_WORDS=(geomconv convert a --to ''); COMP_CWORD=4; _geomconv; echo "
        "${COMPREPLY[@]}");
    EXPECT_THAT(words.out, HasSubstr("glb"));
    for (const std::string shell : {"zsh", "fish"}) {
        if (program.shell("command -v " + shell).code != 0) continue;
        EXPECT_EQ(program.shell("$G completion " + shell + " | " + shell + " -n").code, 0) << shell;
    }
    if (program.shell("command -v man && command -v groff").code == 0) {
        EXPECT_EQ(program.shell("$G manpage > g.1 && man --warnings -l g.1 2>&1 >/dev/null").out, "");
    }
}

/// tests/golden/help holds what the help says of the commands' own options (those of the formats are their affair);
/// GEOMCONV_REWRITE_GOLDEN=1 writes it anew.
TEST(CliHelp, SaysWhatTheGoldenFilesSay) {
    const std::filesystem::path folder = sourceDir() / "tests" / "golden" / "help";
    const bool rewrite = std::getenv("GEOMCONV_REWRITE_GOLDEN") != nullptr;
    const auto compare = [&](const std::string& name, const std::string& text) {
        const std::filesystem::path file = folder / (name + ".txt");
        if (rewrite) {
            std::filesystem::create_directories(folder);
            writeFile(file, asBytes(text));
        }
        ASSERT_TRUE(std::filesystem::exists(file)) << file << " is missing; GEOMCONV_REWRITE_GOLDEN=1 makes it";
        EXPECT_EQ(text, readText(file)) << "GEOMCONV_REWRITE_GOLDEN=1 takes the new text";
    };
    const FormatTable none({});
    for (const CommandRow& command : commandTable()) {
        if (!command.hidden) compare(std::string(command.name), commandHelp(command, none));
    }
}

}  // namespace
}  // namespace geomconv::test
