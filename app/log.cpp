#include "app/log.hpp"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <memory>
#include <string>

namespace geomconv {

namespace {

std::unique_ptr<spdlog::logger> makeLogger(bool color) {
    const auto mode = color ? spdlog::color_mode::always : spdlog::color_mode::never;
    auto sink = std::make_shared<spdlog::sinks::stderr_color_sink_st>(mode);
    auto logger = std::make_unique<spdlog::logger>("geomconv", std::move(sink));
    logger->set_pattern("geomconv: %^[%H:%M:%S.%e]%$ %v");
    logger->flush_on(spdlog::level::info);
    return logger;
}

}  // namespace

void writeLog(std::string_view text, bool color) {
    static const std::unique_ptr<spdlog::logger> logger = makeLogger(color);
    logger->info(text);
}

}  // namespace geomconv
