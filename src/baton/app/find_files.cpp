#include "baton/app/find_files.hpp"

#include "baton/base/text.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace baton::app {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kEntriesMax = 100'000;

bool has_wildcard(std::string_view text) {
    return text.find_first_of("*?") != std::string_view::npos;
}

/// The folder above the first wildcard, as it is written: "out/", "/tmp/x/", "".
std::string folder_of(std::string_view glob) {
    const auto wildcard = glob.find_first_of("*?");
    const auto slash = glob.substr(0, wildcard).rfind('/');
    return slash == std::string_view::npos ? "" : std::string(glob.substr(0, slash + 1));
}

} // namespace

std::vector<std::string> find_files(const std::string& glob) {
    std::error_code failed;
    if (!has_wildcard(glob)) {
        return fs::is_regular_file(glob, failed) ? std::vector<std::string>{glob}
                                                 : std::vector<std::string>{};
    }
    const auto folder = folder_of(glob);
    const auto rest = std::string_view(glob).substr(folder.size());
    const bool any_depth = rest.find("**") != std::string_view::npos;
    const auto levels = std::ranges::count(rest, '/'); // deeper ones cannot match
    std::vector<std::string> found;
    std::size_t looked_at = 0;
    const auto options = fs::directory_options::skip_permission_denied;
    fs::recursive_directory_iterator walk(folder.empty() ? "." : folder, options, failed);
    while (!failed && walk != fs::end(walk) && looked_at++ < kEntriesMax) {
        std::error_code unreadable;
        const auto below = walk->path().lexically_relative(folder.empty() ? "." : folder).string();
        if (walk->is_regular_file(unreadable) && glob_matches(rest, below)) {
            found.push_back(folder + below);
        }
        if (!any_depth && walk.depth() >= levels) {
            walk.disable_recursion_pending();
        }
        walk.increment(failed);
    }
    std::ranges::sort(found);
    return found;
}

} // namespace baton::app
