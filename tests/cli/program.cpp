#include "tests/cli/program.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include "lib/bytes/byte_writer.hpp"

namespace geomconv::test {

namespace fs = std::filesystem;

namespace {

void redirect(const fs::path& file, int flags, int to) {
    const int fd = ::open(file.c_str(), flags, 0600);
    if (fd < 0) ::_exit(126);
    ::dup2(fd, to);
    ::close(fd);
}

}  // namespace

Outcome Program::operator()(const std::vector<std::string>& arguments, const std::string& input) const {
    writeFile(streams_ / "in", asBytes(input));
    std::vector<std::string> words{GEOMCONV_PROGRAM};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    const pid_t child = ::fork();
    if (child < 0) throw std::runtime_error("fork failed");
    if (child == 0) {
        if (::chdir(folder().c_str()) != 0) ::_exit(126);
        redirect(streams_ / "in", O_RDONLY, 0);
        redirect(streams_ / "out", O_WRONLY | O_CREAT | O_TRUNC, 1);
        redirect(streams_ / "err", O_WRONLY | O_CREAT | O_TRUNC, 2);
        ::execv(argv.front(), argv.data());
        ::_exit(127);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), readText(streams_ / "out"),
            readText(streams_ / "err")};
}

Outcome Program::shell(const std::string& line) const {
    const std::string whole = "cd '" + folder().string() + "' && export G='" + GEOMCONV_PROGRAM + "' && { " + line +
                              "\n} > '" + (streams_ / "out").string() + "' 2> '" + (streams_ / "err").string() + '\'';
    const std::string script = (streams_ / "line").string();
    writeFile(script, asBytes(whole));
    const int status = std::system(("bash '" + script + '\'').c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), readText(streams_ / "out"),
            readText(streams_ / "err")};
}

void Program::write(std::string_view name, Bytes bytes) const {
    const fs::path path = folder() / name;
    fs::create_directories(path.parent_path());
    writeFile(path, bytes);
}

void Program::write(std::string_view name, std::string_view text) const {
    write(name, asBytes(text));
}

std::string Program::read(std::string_view name) const {
    return readText(folder() / name);
}

bool Program::has(std::string_view name) const {
    return fs::exists(folder() / name);
}

std::vector<std::string> Program::files() const {
    std::vector<std::string> out;
    for (const auto& entry : fs::recursive_directory_iterator(folder())) {
        if (!entry.is_directory()) out.push_back(entry.path().lexically_relative(folder()).generic_string());
    }
    std::sort(out.begin(), out.end());
    return out;
}

LibraryRecord tetrahedron(std::string name, float size) {
    return {std::move(name),
            {{0, 0, 0}, {size, 0, 0}, {0, size, 0}, {0, 0, size}},
            {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
}

ByteVector collisionLibrary(const std::vector<LibraryRecord>& records) {
    ByteWriter out(ByteOrder::Big);
    for (const LibraryRecord& record : records) {
        const auto nameLength = static_cast<std::uint32_t>(std::max<std::size_t>(16, (record.name.size() + 8) / 8 * 8));
        const auto nv = static_cast<std::uint32_t>(record.vertices.size());
        const auto nt = static_cast<std::uint32_t>(record.triangles.size());
        out.u32(nameLength + 8 + 12 * (nv + nt));
        out.u32(nameLength);
        out.text(record.name);
        out.zeros(nameLength - record.name.size());
        out.u32(nv);
        out.u32(nt);
        for (const auto& vertex : record.vertices) {
            for (const float v : vertex) out.f32(v);
        }
        for (const auto& triangle : record.triangles) {
            for (const std::uint32_t i : triangle) out.u32(i);
        }
    }
    return out.finish();
}

}  // namespace geomconv::test
