#include "baton/app/files.hpp"

#include "baton/base/result.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <ios>
#include <string>

namespace baton::app {

Result<std::string> read_file(const std::string& path, std::size_t bytes_max) {
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        return fail(Errc::not_found, fmt::format("{}: {}", path, std::strerror(errno)));
    }
    std::string text;
    std::array<char, 65536> piece{}; // most files are small, whatever they might be
    while (text.size() <= bytes_max && file) {
        file.read(piece.data(), piece.size());
        text.append(piece.data(), static_cast<std::size_t>(file.gcount()));
    }
    if (file.bad()) {
        return fail(Errc::unavailable, fmt::format("{}: {}", path, std::strerror(errno)));
    }
    if (text.size() > bytes_max) {
        return fail(Errc::invalid, fmt::format("{}: larger than {} bytes", path, bytes_max));
    }
    return text;
}

} // namespace baton::app
