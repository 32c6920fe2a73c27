#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <map>
#include <mutex>
#include <system_error>
#include <thread>
#include <unordered_set>

#include "app/budget.hpp"
#include "app/command_table.hpp"
#include "app/commands/commands.hpp"
#include "app/conversion.hpp"
#include "app/interrupt.hpp"
#include "app/progress.hpp"
#include "app/report.hpp"
#include "app/usage_error.hpp"
#include "app/walk.hpp"
#include "lib/bytes/text.hpp"
#include "lib/files/system_error.hpp"

namespace geomconv {

namespace fs = std::filesystem;

namespace {

constexpr auto kVerbs = verbBits({Verb::Read, Verb::Write});
/// Reading a file and building its scene takes about so many times its size.
constexpr std::uint64_t kMemoryPerByte = 6;
/// Rows that may wait for an older one: bounds memory when one file takes long.
constexpr std::size_t kWindow = 256;

struct BatchOptions {
    std::string folder;
    std::string output;
    const Format* target = nullptr;
    unsigned jobs = 1;
    std::vector<std::string> globs;
    std::size_t shard = 1;  ///< from 1
    std::size_t shards = 1;
    bool skipExisting = false;
    bool failFast = false;
    bool dryRun = false;
    std::string report;
    ConversionSettings settings;
};

/// "3/16". Throws UsageError.
void parseShard(std::string_view text, BatchOptions& out) {
    const std::size_t slash = text.find('/');
    const auto number = [](std::string_view part) -> std::size_t {
        if (part.empty() || part.size() > 9 || part.find_first_not_of("0123456789") != std::string_view::npos) return 0;
        return static_cast<std::size_t>(std::stoul(std::string(part)));
    };
    if (slash != std::string_view::npos) {
        out.shard = number(text.substr(0, slash));
        out.shards = number(text.substr(slash + 1));
        if (out.shard >= 1 && out.shard <= out.shards) return;
    }
    throw UsageError("--shard: '" + printable(text) + "' is not I/N with I from 1 to N");
}

/// Throws UsageError; SystemError when the folder is not there.
BatchOptions batchOptions(const Arguments& arguments, const Context& context) {
    BatchOptions out;
    out.folder = arguments.positionals.front();
    const auto output = arguments.get("output");
    if (!output || output->empty()) throw UsageError("batch needs -o OUTDIR");
    out.output = std::string(*output);
    if (!arguments.has("to")) {
        throw UsageError("batch needs --to FORMAT, one of " + context.formats.ids(&canWrite));
    }
    out.settings = conversionSettings(arguments, context.formats);
    out.target = out.settings.writing.to;
    checkFormatOptions(arguments.format, context.formats.rows(), kVerbs, context.formats);
    const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
    out.jobs = static_cast<unsigned>(arguments.integer("jobs", 1, 1024).value_or(cores));
    out.globs = arguments.all("glob");
    if (const auto shard = arguments.get("shard")) parseShard(*shard, out);
    out.skipExisting = arguments.has("skip-existing");
    out.failFast = arguments.has("fail-fast");
    out.dryRun = arguments.has("dry-run");
    out.report = std::string(arguments.get("report").value_or(""));

    std::error_code error;
    const fs::path folder = pathFromUtf8(out.folder);
    const fs::file_status status = fs::status(folder, error);
    if (!fs::exists(status)) throw SystemError(out.folder, std::generic_category().message(ENOENT));
    if (!fs::is_directory(status)) throw UsageError("batch takes a folder; convert takes " + printable(out.folder));
    if (fs::equivalent(folder, pathFromUtf8(out.output), error) && !error) {
        throw UsageError("-o must be another folder than the input");
    }
    return out;
}

enum class Status : std::uint8_t { Converted, Skipped, Ignored, Planned, Failed };
constexpr std::size_t kStatuses = 5;

std::string_view statusName(Status status) {
    switch (status) {
        case Status::Converted:
            return "converted";
        case Status::Skipped:
            return "skipped";
        case Status::Ignored:
            return "ignored";
        case Status::Planned:
            return "planned";
        case Status::Failed:
            return "failed";
    }
    return "";
}

/// What one file, or one member of a container, came to.
struct Row {
    FileReport report;
    std::string output;
    Status status = Status::Ignored;
    std::string said;  ///< the error line
    double seconds = 0;
    std::uint64_t bytesIn = 0;
    std::uint64_t bytesOut = 0;
    Counts counts;
};

/// Rows in the order of the list, whoever finishes first. They are taken some at a time: waking the taker for each file
/// would cost more than a small file.
class RowQueue {
public:
    RowQueue(std::size_t total, std::size_t workers) : total_(total), workers_(workers) {}

    /// Waits while the job is too far ahead of the oldest one that is not done.
    void awaitTurn(std::size_t job) {
        std::unique_lock lock(lock_);
        room_.wait(lock, [&] { return job < next_ + kWindow || closed_; });
    }
    void put(std::size_t job, std::vector<Row> rows) {
        const std::lock_guard lock(lock_);
        done_.emplace(job, std::move(rows));
        if (done_.size() % kBunch == 0) ready_.notify_one();
    }
    /// A worker that takes no more jobs.
    void leave() {
        const std::lock_guard lock(lock_);
        ++left_;
        ready_.notify_one();
    }
    /// The next rows in order; nullopt after a moment without any. over: every worker has left and all rows were given,
    /// those behind a job that nobody took too.
    std::optional<std::vector<Row>> take(std::chrono::milliseconds moment, bool& over) {
        std::unique_lock lock(lock_);
        const auto finished = [&] { return left_ == workers_; };
        if (!done_.contains(next_)) ready_.wait_for(lock, moment, [&] { return done_.size() >= kBunch || finished(); });
        if (!done_.contains(next_) && !finished()) return std::nullopt;
        if (done_.empty()) {
            over = true;
            return std::nullopt;
        }
        const auto first = done_.begin();
        next_ = first->first + 1;
        std::vector<Row> rows = std::move(first->second);
        done_.erase(first);
        room_.notify_all();
        return rows;
    }
    /// Nobody takes rows any more.
    void close() {
        const std::lock_guard lock(lock_);
        closed_ = true;
        room_.notify_all();
    }
    std::size_t total() const { return total_; }

private:
    static constexpr std::size_t kBunch = 64;

    const std::size_t total_;
    const std::size_t workers_;
    std::mutex lock_;
    std::condition_variable room_;
    std::condition_variable ready_;
    std::map<std::size_t, std::vector<Row>> done_;
    std::size_t next_ = 0;
    std::size_t left_ = 0;
    bool closed_ = false;
};

/// Converts single files; used by all workers at once.
class FileWorker {
public:
    FileWorker(const BatchOptions& options, const FormatTable& formats)
        : options_(options),
          formats_(formats),
          budget_(options.settings.reading.read.maxMemory),
          shared_(options.settings) {
        // What compressed input may unpack to, so that all workers together stay within the limit.
        shared_.reading.read.maxMemory = std::max<std::uint64_t>(1, budget_.total() / options.jobs);
    }

    std::vector<Row> run(std::string_view path, bool wholeName) {
        const std::string file = inside(options_.folder, path);
        const std::string output = outputPath(outputStem(path, wholeName, formats_));
        std::uint64_t size = 0;
        if (options_.skipExisting && isCurrent(file, output)) return {skipped(file, output)};
        std::error_code ignored;
        size = fs::file_size(pathFromUtf8(file), ignored);
        if (ignored) size = 0;
        std::vector<Row> rows;
        bool cramped = false;
        {
            const MemoryBudget::Share share(budget_, size * kMemoryPerByte);
            rows = convertFile(file, output, std::string(path), shared_, cramped);
        }
        if (!cramped || options_.jobs == 1) return rows;
        // Packed input that wants more than its share gets everything, alone.
        const MemoryBudget::Share share(budget_, budget_.total());
        return convertFile(file, output, std::string(path), options_.settings, cramped);
    }

private:
    std::string inside(const std::string& folder, std::string_view path) const {
        return folder.back() == '/' ? folder + std::string(path) : folder + '/' + std::string(path);
    }
    std::string outputPath(std::string_view stem) const {
        return inside(options_.output, stem) + std::string(options_.target->extensions.front());
    }

    /// An output that is not older than its input.
    static bool isCurrent(const std::string& input, const std::string& output) {
        std::error_code error;
        const auto made = fs::last_write_time(pathFromUtf8(output), error);
        if (error) return false;
        const auto changed = fs::last_write_time(pathFromUtf8(input), error);
        return !error && made >= changed;
    }

    static Row skipped(const std::string& file, const std::string& output) {
        Row row;
        row.report.file = file;
        row.output = output;
        row.status = Status::Skipped;
        return row;
    }

    /// cramped: set when packed input met the limit of its share.
    std::vector<Row> convertFile(const std::string& file, const std::string& output, const std::string& path,
                                 const ConversionSettings& settings, bool& cramped) {
        std::vector<Row> rows;
        Row row;
        row.report.file = file;
        const auto start = std::chrono::steady_clock::now();
        cramped = false;
        const auto failure = attempt(file, [&] {
            const Opened opened = open(file, settings.reading, formats_);
            row.bytesIn = opened.file->bytes().size();
            const bool asked = settings.reading.from != nullptr;
            if (!asked && !worthReading(opened.format, opened.file->bytes(), opened.fileName)) return;
            row.report.format = opened.format->id;
            if (isPiece(opened)) return;
            if (holdsMembers(opened)) {
                for (const Defect& defect : opened.found.list()) row.report.defects.add(defect);
                members(opened, path + '/', settings, rows, row.report.defects);
                return;
            }
            if (opened.format->readScene == nullptr) return;
            convertOne(opened, output, settings, row);
        });
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
        row.seconds = took.count();
        if (failure) fail(row, *failure);
        const auto packedShort = [](const Row& r) {
            return std::any_of(r.report.defects.list().begin(), r.report.defects.list().end(), [](const Defect& d) {
                return d.severity == Severity::Error &&
                       (d.kind.ends_with("-size") || d.kind.find("memory") != std::string::npos);
            });
        };
        cramped = packedShort(row) || std::any_of(rows.begin(), rows.end(), packedShort);
        // A container is a row of its own only when something is to be said of it.
        if (rows.empty() || row.status == Status::Failed || !row.report.defects.empty()) rows.push_back(std::move(row));
        return rows;
    }

    /// Whether the whole that the file is a piece of lies beside it.
    bool isPiece(const Opened& opened) const {
        const Format& format = *opened.format;
        const auto whole = format.wholeOf != nullptr ? format.wholeOf(opened.fileName) : std::nullopt;
        if (!whole || !opened.companions) return false;
        const auto file = opened.companions(*whole);
        return file != nullptr && formats_.recognise(file->bytes(), *whole) == &format;
    }

    void fail(Row& row, const Failure& failure) const {
        row.status = Status::Failed;
        row.said = failure.text;
        addFailure(row.report, failure);
        row.report.error = failure.reason(row.report.file);
    }

    void convertOne(const Opened& opened, const std::string& output, const ConversionSettings& settings, Row& row) {
        row.output = output;
        if (options_.dryRun) {
            row.status = Status::Planned;
            return;
        }
        for (const Defect& defect : opened.found.list()) row.report.defects.add(defect);
        FileOutput out(pathFromUtf8(output),
                       OutputOptions{settings.writing.noClobber, false, inputFiles(opened, settings.reading),
                                     opened.companionsRead});
        Conversion conversion(opened, settings, formats_, row.report.defects);
        conversion.write(*options_.target, out);
        row.counts = conversion.counts();
        refuseDefects(row.report.defects, settings.reading.strict);
        out.commit();
        row.bytesOut = out.bytesWritten();
        row.status = Status::Converted;
    }

    /// found: what the container itself has to say.
    void members(const Opened& container, const std::string& under, const ConversionSettings& settings,
                 std::vector<Row>& rows, Defects& found) {
        const Members all = membersOf(container, settings.reading, found);
        refuseDefects(found, settings.reading.strict);
        const MemberPaths paths = memberPaths(all.names, options_.target->extensions.front(), formats_);
        for (std::size_t i = 0; i < all.names.size() && !interruptPending(); ++i) {
            const std::string output = inside(options_.output, under + paths.files[i]);
            const std::string name = container.name + "::" + all.names[i];
            if (options_.skipExisting && isCurrent(utf8FromPath(container.path), output)) {
                rows.push_back(skipped(name, output));
                continue;
            }
            Row row;
            row.report.file = name;
            const auto start = std::chrono::steady_clock::now();
            bool counts = true;
            const auto failure = attempt(name, [&] {
                const std::optional<Opened> member = openMember(container, all, i, settings.reading, formats_);
                counts = false;
                if (!member) return;
                row.bytesIn = member->file->bytes().size();
                if (holdsMembers(*member)) {
                    for (const Defect& defect : member->found.list()) row.report.defects.add(defect);
                    members(*member, under + paths.folders[i] + '/', settings, rows, row.report.defects);
                    return;
                }
                counts = member->format != nullptr && member->format->readScene != nullptr;
                if (!counts) return;
                row.report.format = member->format->id;
                convertOne(*member, output, settings, row);
            });
            const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
            row.seconds = took.count();
            if (failure) fail(row, *failure);
            if (counts || failure || !row.report.defects.empty()) rows.push_back(std::move(row));
        }
    }

    const BatchOptions& options_;
    const FormatTable& formats_;
    MemoryBudget budget_;
    ConversionSettings shared_;
};

/// The rows as JSON, written as they come; without --report nothing.
class BatchReport {
public:
    /// files: the inputs, none of which the report may replace.
    BatchReport(const BatchOptions& options, const PathList& files) {
        if (options.report.empty()) return;
        std::vector<fs::path> inputs = options.settings.reading.optionFiles;
        std::error_code none;
        const std::size_t count = fs::exists(pathFromUtf8(options.report), none) ? files.size() : 0;
        for (std::size_t i = 0; i < count; ++i) {
            inputs.push_back(pathFromUtf8(options.folder) / pathFromUtf8(files[i]));
        }
        output_ = openOutput(options.report, false, inputs);
        json_.emplace(output_->main());
        json_->beginObject();
        json_->head();
        json_->field("folder", options.folder);
        json_->field("output", options.output);
        json_->field("to", options.target->id);
        json_->key("files");
        json_->beginArray();
    }
    bool wanted() const { return json_.has_value(); }

    void add(const Row& row) {
        if (!json_) return;
        json_->beginObject();
        writeFileHead(*json_, row.report);
        if (row.report.error.empty()) {
            json_->key("error");
            json_->null();
        }
        json_->field("status", statusName(row.status));
        if (!row.output.empty()) json_->field("output", row.output);
        json_->field("seconds", row.seconds);
        json_->field("bytesIn", row.bytesIn);
        json_->field("bytesOut", row.bytesOut);
        json_->key("counts");
        json_->beginObject();
        const auto count = [&](std::string_view name, std::size_t n) {
            json_->field(name, static_cast<std::uint64_t>(n));
        };
        count("nodes", row.counts.nodes);
        count("meshes", row.counts.meshes);
        count("hulls", row.counts.hulls);
        count("vertices", row.counts.vertices);
        count("triangles", row.counts.triangles);
        count("images", row.counts.images);
        json_->endObject();
        json_->key("warningsByKind");
        json_->beginObject();
        for (const auto& [kind, n] : warningsByKind(row.report.defects)) count(kind, n);
        json_->endObject();
        writeDefects(*json_, row.report.defects);
        json_->endObject();
    }

    void finish(const std::vector<std::string>& unreadable, const std::vector<std::string>& withoutInput,
                const std::array<std::size_t, kStatuses>& counts, double seconds, bool interrupted) {
        if (!json_) return;
        json_->endArray();
        const auto texts = [&](std::string_view name, const std::vector<std::string>& list) {
            json_->key(name);
            json_->beginArray();
            for (const std::string& text : list) json_->text(text);
            json_->endArray();
        };
        texts("unreadableFolders", unreadable);
        texts("outputsWithoutInput", withoutInput);
        json_->key("summary");
        json_->beginObject();
        for (std::size_t s = 0; s < kStatuses; ++s) {
            json_->field(statusName(static_cast<Status>(s)), static_cast<std::uint64_t>(counts[s]));
        }
        json_->field("seconds", seconds);
        json_->field("interrupted", interrupted);
        json_->endObject();
        json_->endObject();
        output_->commit();
    }

private:
    static std::vector<std::pair<std::string, std::size_t>> warningsByKind(const Defects& defects) {
        std::vector<std::pair<std::string, std::size_t>> out;
        for (const Defect& defect : defects.list()) {
            const bool known =
                std::any_of(out.begin(), out.end(), [&](const auto& e) { return e.first == defect.kind; });
            if (defect.severity == Severity::Warning && !known)
                out.emplace_back(defect.kind, defects.count(defect.kind));
        }
        return out;
    }

    std::unique_ptr<OutputSet> output_;
    std::optional<JsonWriter> json_;
};

/// Outputs of this format below the output folder that no file of the input tree gives, sorted.
std::vector<std::string> outputsWithoutInput(const BatchOptions& options, const FormatTable& formats) {
    std::unordered_set<std::size_t> expected;
    const std::hash<std::string> hash;
    const WalkResult everything = walk({pathFromUtf8(options.folder), pathFromUtf8(options.output), {}}, formats);
    const std::string extension(options.target->extensions.front());
    for (std::size_t i = 0; i < everything.files.size(); ++i) {
        const std::string_view path = everything.files[i];
        expected.insert(hash(outputStem(path, false, formats) + extension));
        expected.insert(hash(std::string(path) + extension));
        expected.insert(hash(std::string(path) + '/'));
    }
    std::vector<std::string> out;
    std::error_code error;
    fs::recursive_directory_iterator it(pathFromUtf8(options.output), error);
    for (const fs::recursive_directory_iterator end; !error && it != end; it.increment(error)) {
        const std::string path =
            utf8FromPath(fs::path(it->path().lexically_relative(pathFromUtf8(options.output)).generic_u8string()));
        if (it->is_directory(error)) {
            // Members of a container that is still there.
            if (expected.contains(hash(path + '/'))) it.disable_recursion_pending();
            continue;
        }
        if (path.ends_with(extension) && !expected.contains(hash(path))) out.push_back(utf8FromPath(it->path()));
    }
    std::sort(out.begin(), out.end());
    return out;
}

class Batch {
public:
    Batch(const BatchOptions& options, const Context& context) : options_(options), context_(context) {}

    ExitCode run() {
        const auto start = std::chrono::steady_clock::now();
        deferInterrupts();
        const WalkResult found =
            walk({pathFromUtf8(options_.folder), pathFromUtf8(options_.output), options_.globs}, context_.formats);
        for (const std::string& folder : found.unreadable) context_.console.error(printable(folder));
        BatchReport report(options_, found.files);
        work(found.files, report);
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
        const bool interrupted = interruptPending();
        std::vector<std::string> leftover;
        if (report.wanted() && !interrupted) leftover = outputsWithoutInput(options_, context_.formats);
        report.finish(found.unreadable, leftover, counts_, took.count(), interrupted);
        summary(took.count(), interrupted, leftover.size());
        if (interrupted) return ExitCode::Interrupted;
        const bool failed = counts_[static_cast<std::size_t>(Status::Failed)] > 0 || !found.unreadable.empty();
        return failed ? ExitCode::SomeFailed : ExitCode::Done;
    }

private:
    bool stopped() const { return interruptPending() || (options_.failFast && failed_.load()); }

    /// Files i with i % shards == shard - 1.
    void work(const PathList& files, BatchReport& report) {
        const std::size_t mine =
            files.size() < options_.shard ? 0 : (files.size() - options_.shard) / options_.shards + 1;
        FileWorker worker(options_, context_.formats);
        const std::size_t workers = std::max<std::size_t>(1, std::min<std::size_t>(options_.jobs, mine));
        RowQueue queue(mine, workers);
        std::atomic<std::size_t> next{0};
        const auto loop = [&] {
            while (!stopped()) {
                const std::size_t job = next.fetch_add(1);
                if (job >= mine) break;
                queue.awaitTurn(job);
                const std::size_t i = job * options_.shards + options_.shard - 1;
                std::vector<Row> rows = worker.run(files[i], files.wholeName(i));
                for (const Row& row : rows) {
                    if (row.status == Status::Failed) failed_.store(true);
                }
                queue.put(job, std::move(rows));
            }
            queue.leave();
        };
        std::vector<std::jthread> threads;
        for (std::size_t t = 0; t < workers; ++t) threads.emplace_back(loop);
        try {
            collect(queue, report);
        } catch (...) {
            // Standard output or the report is gone; nobody takes the rows any more.
            next.store(mine);
            queue.close();
            throw;
        }
    }

    void collect(RowQueue& queue, BatchReport& report) {
        Progress progress(context_.console, queue.total());
        std::size_t done = 0;
        for (bool over = false; !over;) {
            const auto rows = queue.take(std::chrono::milliseconds(100), over);
            progress.show(done, counts_[static_cast<std::size_t>(Status::Failed)]);
            if (!rows) continue;
            ++done;
            for (const Row& row : *rows) take(row, report);
        }
    }

    void take(const Row& row, BatchReport& report) {
        ++counts_[static_cast<std::size_t>(row.status)];
        Console& console = context_.console;
        if (!row.said.empty()) console.error(row.said);
        console.warnings(row.report.file, row.report.defects);
        if (row.status == Status::Planned)
            console.out(printable(row.report.file) + " -> " + printable(row.output) + '\n');
        if (row.status == Status::Converted && !row.output.empty()) console.log(row.report.file + " -> " + row.output);
        report.add(row);
    }

    void summary(double seconds, bool interrupted, std::size_t leftover) const {
        if (context_.console.verbosity() == Verbosity::Quiet) return;
        const auto n = [&](Status status) { return std::to_string(counts_[static_cast<std::size_t>(status)]); };
        std::string text = options_.dryRun ? n(Status::Planned) + " to convert" : n(Status::Converted) + " converted";
        if (options_.skipExisting) text += ", " + n(Status::Skipped) + " up to date";
        text += ", " + n(Status::Failed) + " failed, " + n(Status::Ignored) + " ignored";
        if (leftover > 0)
            text += ", " + std::to_string(leftover) + (leftover == 1 ? " output" : " outputs") + " without an input";
        const std::string time = std::to_string(seconds);
        text += "; " + time.substr(0, time.find('.') + 3) + " s\n";
        context_.console.out((interrupted ? "interrupted: " : "") + text);
    }

    const BatchOptions& options_;
    const Context& context_;
    std::array<std::size_t, kStatuses> counts_{};
    std::atomic<bool> failed_{false};
};

}  // namespace

ExitCode runBatch(const Arguments& arguments, Context& context) {
    const BatchOptions options = batchOptions(arguments, context);
    return Batch(options, context).run();
}

}  // namespace geomconv
