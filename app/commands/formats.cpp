#include "app/command_table.hpp"
#include "app/commands/commands.hpp"
#include "app/render.hpp"
#include "lib/json.hpp"

namespace geomconv {

namespace {

std::string joined(const Format& format) {
    std::string out;
    for (const std::string_view e : format.extensions) out += (out.empty() ? "" : " ") + std::string(e);
    return out;
}

std::string_view roleName(Role role) {
    switch (role) {
        case Role::Game:
            return "game";
        case Role::Interchange:
            return "interchange";
        case Role::Container:
            return "container";
    }
    return "";
}

std::string yes(bool can) {
    return can ? "yes" : "-";
}

std::string tableText(const FormatTable& formats) {
    std::vector<std::vector<std::string>> rows{
        {"id", "read", "write", "import", "dump", "validate", "members", "endings", "what it is"}};
    for (const Format* f : formats.rows()) {
        rows.push_back({std::string(f->id), yes(f->readScene != nullptr || (isContainer(*f) && canRead(*f))),
                        yes(canWrite(*f)), yes(f->patch != nullptr || f->replaceMember != nullptr),
                        yes(f->dump != nullptr), yes(f->check != nullptr), yes(f->extract != nullptr), joined(*f),
                        std::string(f->title)});
    }
    return renderTable(rows, std::vector<bool>(rows.front().size(), false), 0);
}

void writeJson(const FormatTable& formats, JsonWriter& json) {
    json.beginObject();
    json.head();
    json.key("formats");
    json.beginArray();
    for (const Format* f : formats.rows()) {
        json.beginObject();
        json.field("id", f->id);
        json.field("title", f->title);
        json.field("role", roleName(f->role));
        json.key("extensions");
        json.beginArray();
        for (const std::string_view e : f->extensions) json.text(e);
        json.endArray();
        json.field("read", f->readScene != nullptr || (isContainer(*f) && canRead(*f)));
        json.field("write", canWrite(*f));
        json.field("import", f->patch != nullptr || f->replaceMember != nullptr);
        json.field("dump", f->dump != nullptr);
        json.field("undump", f->undump != nullptr);
        json.field("validate", f->check != nullptr);
        json.field("list", f->list != nullptr);
        json.field("extract", f->extract != nullptr);
        if (!f->contents.empty()) json.field("content", f->contents);
        json.endObject();
    }
    json.endArray();
    json.endObject();
}

}  // namespace

ExitCode runFormats(const Arguments& arguments, Context& context) {
    if (!arguments.has("json")) {
        context.console.out(tableText(context.formats));
        return ExitCode::Done;
    }
    MemorySink sink;
    JsonWriter json(sink);
    writeJson(context.formats, json);
    context.console.out(sink.takeText());
    return ExitCode::Done;
}

}  // namespace geomconv
