#include "app/command_table.hpp"

#include <algorithm>
#include <array>

#include "app/commands/commands.hpp"

namespace geomconv {

namespace {

constexpr OptionRow kGlobal[] = {
    {"verbose", 'v', "", "Log what is done on standard error"},
    {"quiet", 'q', "", "Errors only: no warnings, no progress"},
    {"color", 0, "auto|always|never", "Colours; NO_COLOR is obeyed too (auto)", true},
    {"no-progress", 0, "", "No progress bar"},
    {"help", 'h', "", "Show this help"},
};

constexpr OptionRow kReading[] = {
    {"from", 0, "ID", "Format of the input, instead of looking at it"},
    {"byte-order", 0, "auto|be|le", "Byte order of a collisionset; writing one: keep, be or le (auto)"},
    {"recover", 0, "", "Read what can be read of a damaged file, each loss a warning"},
    {"strict", 0, "", "Warnings become errors"},
    {"max-memory", 0, "SIZE", "What compressed input may unpack to (1 GiB)"},
};

constexpr OptionRow kNaming[] = {
    {"model", 0, "FILE|auto|none", "sur: the .cmp or .3db that names and places the parts (auto: the one beside it)"},
    {"names", 0, "FILE", "sur: a name per line; ids are resolved by hashing them"},
};

constexpr OptionRow kChoosing[] = {
    {"select", 0, "GLOB", "Keep only what has this name: parts, hulls, models, meshes", false, true},
    {"exclude", 0, "GLOB", "Drop what has this name", false, true},
    {"content", 0, "LIST", "Of render, collision, objects, shadow, helpers, bounds, all (each format has its default)"},
};

constexpr OptionRow kShaping[] = {
    {"scale", 0, "F", "Scale: a root transform in glTF, baked in OBJ and .sur (1)"},
    {"up", 0, "native|y|z", "Up axis of the output (y for glTF, native for OBJ)", true},
    {"precision", 0, "N", "Decimals in text output (the shortest text that reads back as the same number)"},
    {"textures", 0, "png|none", "Images beside an OBJ or glTF, embedded in a GLB (png)", true},
    {"hull-names", 0, "plain|godot|unreal",
     "How hulls are called in glTF and OBJ: NAME, NAME-convcolonly, UCX_NAME_NN (plain)", true},
};

constexpr OptionRow kConvertOutput[] = {
    {"output", 'o', "OUTPUT", "Output file, a folder with a slash behind it, or -; several for one input", false, true},
    {"to", 0, "ID", "Format of the output, instead of its ending"},
    {"no-clobber", 0, "", "Refuse to replace an existing file"},
};

constexpr OptionRow kJson[] = {{"json", 0, "", "JSON for scripts"}};

constexpr OptionRow kInspectReport[] = {
    {"json", 0, "", "JSON for scripts"},
    {"topology", 0, "", "Of each mesh and hull too: closed, open edges, edges of more than two triangles, volume"},
};

constexpr OptionRow kExtractOutput[] = {
    {"output", 'o', "DIR", "Folder for the members; - for one member on standard output"},
    {"no-clobber", 0, "", "Refuse to replace an existing file"},
};

constexpr OptionRow kImportOutput[] = {
    {"output", 'o', "NEW", "The changed file"},
    {"in-place", 0, "", "Change BASE itself; the old file stays as BASE.bak"},
    {"no-clobber", 0, "", "Refuse to replace an existing file"},
    {"dry-run", 0, "", "Say what would change, write nothing"},
};

constexpr OptionRow kImportEdits[] = {
    {"add", 0, "", "Meshes without a partner of the same name are added"},
    {"remove", 0, "GLOB", "Remove what has this name", false, true},
};

constexpr OptionRow kImportReport[] = {
    {"report", 0, "FILE", "The changes as JSON in a file"},
    {"json", 0, "", "The changes as JSON on standard output"},
};

constexpr OptionRow kBatchOutput[] = {
    {"output", 'o', "OUTDIR", "Folder for the outputs; it gets the shape of DIR"},
    {"to", 0, "ID", "Format of the outputs"},
    {"no-clobber", 0, "", "Refuse to replace an existing file"},
    {"skip-existing", 0, "", "Leave outputs that are not older than their inputs"},
    {"dry-run", 0, "", "Say what would be written, write nothing"},
};

constexpr OptionRow kBatchWork[] = {
    {"jobs", 'j', "N", "Files at a time (one per core)"},
    {"glob", 0, "GLOB", "Only files of this name or path below DIR", false, true},
    {"shard", 0, "I/N", "Only every Nth file from the Ith on, I from 1"},
    {"fail-fast", 0, "", "Stop at the first file that fails"},
    {"report", 0, "FILE", "A JSON row per file: status, format, seconds, bytes, counts, warnings, error"},
};

constexpr OptionRow kDemoOutput[] = {
    {"output", 'o', "OUT", "The mesh: OBJ, glTF, GLB or scene JSON"},
    {"to", 0, "ID", "Format of the output, instead of its ending"},
    {"no-clobber", 0, "", "Refuse to replace an existing file"},
};

constexpr OptionRow kDemoPieces[] = {{"plaza", 0, "", "A plate at y = 0 over the whole grid too"}};

constexpr OptionRow kFloorProbe[] = {
    {"strat-flags", 0, "N", "Flags of the asking strat, decimal or 0x: 0x200000 looks at ceilings (0)"},
    {"probe-offset", 0, "N", "How far above the point the probe starts, in 4096ths of a unit (1024)"},
    {"batch", 0, "FILE", "Probes from a file, x y z on each line"},
};

constexpr OptionRow kFloorReport[] = {
    {"candidates", 0, "", "With --batch: every polygon of the cell too"},
    {"json", 0, "", "JSON for scripts, integers in 4096ths of a unit"},
};

constexpr OptionRow kHitboxOutput[] = {
    {"output", 'o', "OUT", "The .sur; or the hulls as OBJ, glTF, JSON"},
    {"to", 0, "ID", "Format of the output, instead of its ending"},
    {"no-clobber", 0, "", "Refuse to replace an existing file"},
    {"json", 0, "", "The report as JSON on standard output"},
};

constexpr OptionRow kHitboxHulls[] = {
    {"mode", 0, "hull|exact|box|decompose",
     "Convex hull of each object's points; the triangles as they are, refused unless closed and convex; bounding box; "
     "concave "
     "meshes split into convex hulls (hull)",
     true},
    {"box", 0, "X,Y,Z,X,Y,Z", "A box by two corners, with or without meshes", false, true},
    {"max-points", 0, "N", "Points of a hull; a larger one is simplified (2050 for .sur, else no limit)"},
    {"max-hulls", 0, "N", "decompose: hulls of an object (32)"},
    {"epsilon", 0, "F", "Tolerance of the hulls (one float step at their coordinates)"},
};

constexpr OptionRow kHitboxParts[] = {
    {"part", 0, "NAME|0|0xID", "Everything in this part (one part of id 0)"},
    {"compound", 0, "", "Every top-level object is a part, its id the hash of its name"},
    {"model", 0, "FILE", "Part names, joints and hardpoints from a .cmp or .3db (the mesh, when it is one)"},
    {"fold", 0, "on|off", "With a model: hulls of fixed children are copied into their fixed ancestors (on)", true},
    {"fixed", 0, "", "The part's joint is fixed: no !fxd chunk"},
    {"hardpoint", 0, "NAME", "A hull of this name is a hardpoint's", false, true},
};

constexpr OptionRow kHitboxBuild[] = {
    {"bounds", 0, "wrap|box|none",
     "What inner nodes carry: the hull of everything on the root, a box on each, nothing (wrap)", true},
    {"tree", 0, "ivp|pairs", "Top-down median cut as in the original files, or the tightest pairs (ivp)", true},
    {"keep-mass", 0, "", "Rebuilding a .sur: keep its header values"},
    {"mass-from", 0, "MESH", "Mass properties of this closed mesh"},
    {"center", 0, "X,Y,Z", "Mass centre (derived)"},
    {"inertia", 0, "X,Y,Z", "Rotation inertia (derived)"},
    {"radius", 0, "F", "Radius (derived)"},
    {"deviation", 0, "N", "Surface deviation, 0 to 255 (derived)"},
};

constexpr OptionRow kSelecting[] = {
    {"select", 0, "GLOB", "Keep only what has this name", false, true},
    {"exclude", 0, "GLOB", "Drop what has this name", false, true},
};

constexpr OptionRow kDumpOutput[] = {
    {"output", 'o', "OUTPUT", "Output file (standard output)"},
    {"no-clobber", 0, "", "Refuse to replace an existing file"},
};

constexpr OptionGroup kConvertGroups[] = {{"Output", kConvertOutput},
                                          {"Input", kReading},
                                          {"Names of parts", kNaming},
                                          {"What to take", kChoosing},
                                          {"How it is written", kShaping}};
constexpr OptionGroup kInfoGroups[] = {{"Report", kInspectReport}, {"Input", kReading}, {"Names of parts", kNaming}};
constexpr OptionGroup kListGroups[] = {{"Report", kJson}, {"Input", kReading}, {"Names of parts", kNaming}};
constexpr OptionGroup kDumpGroups[] = {{"Output", kDumpOutput}, {"Input", kReading}, {"Names of parts", kNaming}};
constexpr OptionGroup kBatchGroups[] = {{"Output", kBatchOutput},    {"Work", kBatchWork},
                                        {"Input", kReading},         {"Names of parts", kNaming},
                                        {"What to take", kChoosing}, {"How it is written", kShaping}};
constexpr OptionGroup kFloorGroups[] = {{"Probe", kFloorProbe}, {"Report", kFloorReport}, {"Input", kReading}};
constexpr OptionGroup kDemoGroups[] = {{"Output", kDemoOutput}, {"What is in it", kDemoPieces}, {"Input", kReading}};
constexpr OptionGroup kHitboxGroups[] = {{"Output", kHitboxOutput},
                                         {"Hulls", kHitboxHulls},
                                         {"Parts", kHitboxParts},
                                         {"Library", kHitboxBuild},
                                         {"Input", kReading},
                                         {"What to take", kSelecting},
                                         {"How hulls are written to other formats", kShaping}};
constexpr OptionGroup kExtractGroups[] = {{"Output", kExtractOutput}, {"Input", kReading}};
constexpr OptionGroup kImportGroups[] = {{"Output", kImportOutput},
                                         {"What changes", kImportEdits},
                                         {"Report", kImportReport},
                                         {"Input", kReading},
                                         {"Names of parts", kNaming}};
constexpr OptionGroup kFormatsGroups[] = {{"Report", kJson}};

constexpr Positional kInputs[] = {
    {"INPUT...", "Files, FILE::MEMBER for a member of a container, - for standard input (with --from)"}};
constexpr Positional kFiles[] = {{"FILE...", "Files, FILE::MEMBER for a member of a container, - for standard input"}};
constexpr Positional kFile[] = {{"FILE", "A file, FILE::MEMBER for a member of a container, - for standard input"}};
constexpr Positional kMembers[] = {{"FILE", "A container, FILE::MEMBER for one inside another, - for standard input"},
                                   {"MEMBER...", "Names or globs of members (all of them)"}};
constexpr Positional kEdits[] = {
    {"BASE", "The game file that takes the edits, FILE::MEMBER for a member of a container"},
    {"MESH...",
     "Meshes of the same names as what they replace (OBJ, glTF, JSON), or a PNG texture where the format takes one"}};
constexpr Positional kFolder[] = {{"DIR", "A folder; folders below it and links in it are followed"}};
constexpr Positional kLevelAndPoint[] = {{"LEVEL", "A Groove level (.wad)"},
                                         {"X Y Z", "The point, in units; rounded to 4096ths"}};
constexpr Positional kLevel[] = {{"LEVEL", "A Groove level (.wad)"}};
constexpr Positional kMeshes[] = {{"MESH...", "Meshes (OBJ, glTF, JSON, or a game file); a .sur alone is built anew"}};
constexpr Positional kShell[] = {{"SHELL", "bash, zsh or fish"}};

constexpr Example kConvertExamples[] = {
    {"geomconv convert ship.sur -o ship.glb", "ship.cmp or ship.3db beside it names the parts"},
    {"geomconv convert a.sur b.sur -o out/ --to obj", "several inputs into a folder"},
    {"geomconv convert CollisionSet_S01.bin -o meshes.obj --select 'rou_*'", "only what has these names"},
    {"geomconv convert MiscBin.pak::CollisionSet_S01.bin -o s01.glb", "a member of a pack"},
    {"cat a.sur | geomconv convert - --to json -o - | jq .", "in a pipe"},
};
constexpr Example kInfoExamples[] = {{"geomconv info ship.sur", "a summary"},
                                     {"geomconv info --json *.sur | jq '.files[].file'", "for a script"}};
constexpr Example kDumpExamples[] = {{"geomconv dump ship.sur | jq .parts", "the whole document"}};
constexpr Example kValidateExamples[] = {
    {"geomconv validate ship.sur", "what is wrong, and where"},
    {"geomconv validate --strict --json *.sur > report.json", "every warning counts; a report for scripts"}};
constexpr Example kListExamples[] = {{"geomconv list MiscBin.pak", "members of a container"},
                                     {"geomconv list ship.sur", "parts and hulls"}};
constexpr Example kExtractExamples[] = {{"geomconv extract MiscBin.pak -o members/", "everything"},
                                        {"geomconv extract DATA.BIN 'xasc*' -o members/", "what has these names"},
                                        {"geomconv extract DATA.BIN xasc00 -o - | xxd | head", "one member in a pipe"}};
constexpr Example kImportExamples[] = {
    {"geomconv import CollisionSet_S01.bin edited.obj -o new.bin", "replaces the meshes of the same names"},
    {"geomconv import ship.sur wing.obj --in-place", "ship.sur.bak keeps the old file"},
    {"geomconv import level.wad mesh.obj --dry-run", "what would change"},
    {"geomconv import MiscBin.pak::CollisionSet_S01.bin edited.obj -o new/MiscBin.pak", "a member of a pack"}};
constexpr Example kBatchExamples[] = {
    {"geomconv batch DATA/ -o out/ --to glb -j 2 --glob '*.sur' --report report.json", "all libraries of a game"},
    {"seq 1 16 | parallel geomconv batch DATA/ -o out/ --to glb --shard {}/16", "with GNU parallel"},
    {"geomconv batch DATA/ -o out/ --to glb --skip-existing", "only what is new"}};
constexpr Example kFloorExamples[] = {
    {"geomconv floortest level.wad 57.204 2.27 43.733", "which floor the game finds there, and why"},
    {"geomconv floortest level.wad --batch points.txt --json", "many points"}};
constexpr Example kDemoExamples[] = {
    {"geomconv demo level.wad -o demo.obj", "and geomconv import level.wad demo.obj --keep-tiles -o new.wad"}};
constexpr Example kManpageExamples[] = {{"geomconv manpage > geomconv.1", "the page"}};
constexpr Example kHitboxExamples[] = {
    {"geomconv hitbox hull.obj -o ship.sur", "a hull per object, one part, id 0"},
    {"geomconv hitbox ship_hulls.glb --model ship.cmp -o ship.sur", "parts by name, hardpoints found"},
    {"geomconv hitbox art.glb --mode decompose --max-hulls 24 --max-points 32 -o ship.sur", "a concave mesh"},
    {"geomconv hitbox --box -2,-1,-6,2,1,6 --part Root -o root.sur", "a box"},
    {"geomconv hitbox old.sur -o repaired.sur", "bounds, tree, wrap hull and box bytes anew"}};
constexpr Example kFormatsExamples[] = {{"geomconv formats", "what can be read, written, imported"}};
constexpr Example kCompletionExamples[] = {{"source <(geomconv completion bash)", "completion in this shell"}};

const CommandRow kCommands[] = {
    {.name = "convert",
     .usage = "INPUT... -o OUTPUT",
     .summary = "Read any readable format, write any writable one",
     .text = "Formats are recognised by content first, by file name second. A container or several inputs with -o DIR/ "
             "give one file each, named after it; names that would meet keep their own ending (a.sur.glb, a.cmp.glb). "
             "Outputs appear under their name only when complete.",
     .positionals = kInputs,
     .groups = kConvertGroups,
     .formatVerbs = verbBits({Verb::Read, Verb::Write}),
     .examples = kConvertExamples,
     .run = &runConvert},
    {.name = "info",
     .usage = "FILE...",
     .summary = "Summarise a file for a person, or with --json for a script",
     .text = "",
     .positionals = kFiles,
     .groups = kInfoGroups,
     .formatVerbs = verbBits({Verb::Read, Verb::Info}),
     .examples = kInfoExamples,
     .run = &runInfo},
    {.name = "dump",
     .usage = "FILE [-o OUTPUT]",
     .summary = "Print the whole native document as JSON",
     .text = "The field names are those of the format documents. convert reads a dump and writes the game file back, "
             "where that format can be written.",
     .positionals = kFile,
     .most = 1,
     .groups = kDumpGroups,
     .examples = kDumpExamples,
     .run = &runDump},
    {.name = "validate",
     .usage = "FILE...",
     .summary = "Check the structure; say what is wrong and where",
     .text = "Ends with 0 when no error was found; warnings alone do not change that unless --strict.",
     .positionals = kFiles,
     .groups = kInfoGroups,
     .formatVerbs = verbBits({Verb::Read, Verb::Info}),
     .examples = kValidateExamples,
     .run = &runValidate},
    {.name = "list",
     .usage = "FILE...",
     .summary = "List members of a container, or named meshes, models, parts",
     .text = "",
     .positionals = kFiles,
     .groups = kListGroups,
     .examples = kListExamples,
     .run = &runList},
    {.name = "extract",
     .usage = "FILE [MEMBER...] -o DIR",
     .summary = "Take raw members out of a container",
     .text = "",
     .positionals = kMembers,
     .groups = kExtractGroups,
     .examples = kExtractExamples,
     .run = &runExtract},
    {.name = "hitbox",
     .usage = "MESH... -o OUT",
     .summary = "Build convex hitboxes from meshes",
     .text = "Objects are addressed PART/HULL: an OBJ object wing_lt/HpWeapon01, or a glTF node HpWeapon01 below a "
             "node wing_lt. "
             "0x1234ABCD is a literal id; a trailing #N or .001 is no part of the name.",
     .positionals = kMeshes,
     .least = 0,
     .groups = kHitboxGroups,
     .formatVerbs = verbBits({Verb::Read, Verb::Build, Verb::Write}),
     .examples = kHitboxExamples,
     .run = &runHitbox},
    {.name = "import",
     .usage = "BASE [MESH...] -o NEW",
     .summary = "Put edited geometry, a texture or a raw chunk back into a game file",
     .text =
         "What was not edited keeps its bytes. Limits of the format are checked first; nothing is written when one is "
         "broken.",
     .positionals = kEdits,
     .groups = kImportGroups,
     .formatVerbs = verbBits({Verb::Read, Verb::Patch}),
     .examples = kImportExamples,
     .run = &runImport},
    {.name = "batch",
     .usage = "DIR -o OUTDIR --to FORMAT",
     .summary = "Convert a whole directory tree, in parallel",
     .text =
         "Every file of a known format gives OUTDIR/PATH.EXT in place of DIR/PATH; a container gives a folder of its "
         "own name with "
         "a file per member. Two files of one folder that would give the same output keep their own ending "
         "(a.sur.glb, a.cmp.glb). A file that fails does not stop the others; the exit code is then 4. The same bytes "
         "come out whatever -j and --shard are.",
     .positionals = kFolder,
     .most = 1,
     .groups = kBatchGroups,
     .formatVerbs = verbBits({Verb::Read, Verb::Write}),
     .examples = kBatchExamples,
     .run = &runBatch},
    {.name = "floortest",
     .usage = "LEVEL X Y Z | LEVEL --batch FILE",
     .summary = "Tell which floor the game would find at a point of a Groove level",
     .text = "Every polygon of the cell is shown with its edge values and tolerances, which one wins and why, in the "
             "engine's own "
             "integers.",
     .positionals = kLevelAndPoint,
     .most = 4,
     .groups = kFloorGroups,
     .examples = kFloorExamples,
     .run = &runFloortest},
    {.name = "demo",
     .usage = "LEVEL -o OUT.obj",
     .summary = "Make example level geometry of a Groove level's own textures",
     .text =
         "A ramp and two blocks near the middle of the grid, each square the whole rectangle of one texture: a mesh "
         "to begin with, which import takes as it is.",
     .positionals = kLevel,
     .most = 1,
     .groups = kDemoGroups,
     .examples = kDemoExamples,
     .run = &runDemo},
    {.name = "formats",
     .usage = "",
     .summary = "Show what can be read, written, imported",
     .text = "",
     .positionals = {},
     .least = 0,
     .most = 0,
     .groups = kFormatsGroups,
     .examples = kFormatsExamples,
     .run = &runFormats},
    {.name = "completion",
     .usage = "bash|zsh|fish",
     .summary = "Print a shell completion script",
     .text = "",
     .positionals = kShell,
     .most = 1,
     .groups = {},
     .examples = kCompletionExamples,
     .run = &runCompletion,
     .words = "bash|zsh|fish"},
    {.name = "manpage",
     .usage = "",
     .summary = "Print the manual page in man's format",
     .text = "",
     .positionals = {},
     .least = 0,
     .most = 0,
     .groups = {},
     .examples = kManpageExamples,
     .run = &runManpage,
     .hidden = true},
};

}  // namespace

std::span<const CommandRow> commandTable() {
    return kCommands;
}

const CommandRow* commandNamed(std::string_view name) {
    for (const CommandRow& row : kCommands) {
        if (row.name == name) return &row;
    }
    return nullptr;
}

std::span<const OptionRow> globalOptions() {
    return kGlobal;
}

std::vector<FormatOption> formatOptions(const CommandRow& command, const FormatTable& formats) {
    std::vector<FormatOption> out;
    for (const Format* format : formats.rows()) {
        for (const OptionSpec& spec : format->options) {
            if ((spec.verbs & command.formatVerbs) == 0) continue;
            const auto same = std::find_if(out.begin(), out.end(), [&](const FormatOption& o) {
                return o.row.name == spec.name && o.row.value == spec.value && o.row.help == spec.help;
            });
            if (same != out.end()) {
                same->owners.push_back(format->id);
                continue;
            }
            out.push_back({{.name = spec.name,
                            .value = spec.value,
                            .help = spec.help,
                            .choices = spec.choices,
                            .repeatable = spec.repeatable,
                            .range = std::pair(spec.least, spec.most)},
                           {format->id}});
        }
    }
    return out;
}

}  // namespace geomconv
