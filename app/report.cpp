#include "app/report.hpp"

#include <algorithm>

namespace geomconv {

void writeDefects(JsonWriter& json, const Defects& defects) {
    json.field("errors", static_cast<std::uint64_t>(defects.count(Severity::Error)));
    json.field("warnings", static_cast<std::uint64_t>(defects.count(Severity::Warning)));
    json.key("defects");
    json.beginArray();
    for (const Defect& defect : defects.list()) {
        json.beginObject();
        json.field("severity", defect.severity == Severity::Error ? "error" : "warning");
        json.field("kind", defect.kind);
        json.key("offset");
        if (defect.offset)
            json.unsignedInteger(*defect.offset);
        else
            json.null();
        json.key("where");
        json.beginArray();
        for (const Place& place : defect.where) {
            json.beginObject();
            json.field("noun", place.noun);
            json.field("number", place.number);
            if (!place.name.empty()) json.field("name", place.name);
            json.endObject();
        }
        json.endArray();
        json.field("detail", defect.detail);
        json.endObject();
    }
    json.endArray();
    const auto leftOut = defects.leftOut();
    if (leftOut.empty()) return;
    json.key("leftOut");
    json.beginObject();
    for (const auto& [kind, count] : leftOut) json.field(kind, static_cast<std::uint64_t>(count));
    json.endObject();
}

void writeFileHead(JsonWriter& json, const FileReport& report) {
    json.field("file", report.file);
    json.key("format");
    if (report.format.empty())
        json.null();
    else
        json.text(report.format);
    if (!report.error.empty()) json.field("error", report.error);
}

bool failed(const Defects& defects, bool strict) {
    return defects.count(Severity::Error) > 0 || (strict && defects.count(Severity::Warning) > 0);
}

void addThrown(Defects& defects, const Defect& defect) {
    const auto& list = defects.list();
    if (std::find(list.begin(), list.end(), defect) == list.end()) defects.add(defect);
}

void addFailure(FileReport& report, const Failure& failure) {
    if (failure.defect)
        addThrown(report.defects, *failure.defect);
    else
        report.error = failure.text;
}

}  // namespace geomconv
