#include "baton/app/demo_platforms.hpp"

#include "baton/base/result.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

namespace baton::app::demo {

namespace {

Result<void> write_platform(
    const std::string& folder, std::string_view platform, std::span<const ExampleFile> files
) {
    const auto place = fmt::format("{}/{}", folder, platform);
    std::error_code failed;
    std::filesystem::create_directories(place, failed); // what is wrong shows below
    for (const auto& one : files) {
        const auto path = fmt::format("{}/{}", place, one.name);
        std::ofstream file(path);
        file << one.text;
        if (!file.flush()) {
            return fail(Errc::unavailable, fmt::format("{} cannot be written", path));
        }
    }
    return {};
}

} // namespace

std::string assessments_folder(const std::string& folder) {
    return folder + "/platforms";
}

Result<void> write_assessments(const std::string& folder) {
    const auto place = assessments_folder(folder);
    if (auto written = write_platform(place, "tessera-tx1-linux", tessera_example()); !written) {
        return written;
    }
    return write_platform(place, "intel-xpu-linux", xpu_example());
}

} // namespace baton::app::demo
