#include "baton/app/text_sources.hpp"

#include "baton/app/files.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/ports/github.hpp"
#include "baton/ports/text_source.hpp"

#include <boost/asio/awaitable.hpp>

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

namespace baton::app {

namespace asio = boost::asio;

namespace {

using Fetched = Result<std::optional<ports::TextVersion>>;

Fetched look_at(const std::string& path, const std::string& mark) {
    struct stat facts{};
    if (::stat(path.c_str(), &facts) != 0) {
        return fail(Errc::not_found, fmt::format("{}: {}", path, std::strerror(errno)));
    }
    auto fresh = fmt::format(
        "{}-{}-{}.{}", facts.st_ino, facts.st_size, facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec
    );
    if (fresh == mark) {
        return std::optional<ports::TextVersion>{};
    }
    BATON_TRY(auto text, read_file(path, limits::kAllowlistBytesMax));
    return std::optional(ports::TextVersion{.text = std::move(text), .mark = std::move(fresh)});
}

} // namespace

asio::awaitable<Fetched> FileSource::fetch(std::string mark) {
    auto work = [path = path_, mark = std::move(mark)] { return look_at(path, mark); };
    co_return co_await pool_.run(std::move(work));
}

std::string FileSource::describe() const {
    return "file:" + path_;
}

asio::awaitable<Fetched> RepositorySource::fetch(std::string mark) {
    ports::FileQuery query{
        .repo = place_.repo, .path = place_.path, .ref = place_.ref, .etag = std::move(mark)
    };
    auto read = co_await github_.read_file(std::move(query));
    if (!read) {
        co_return fail(read.error());
    }
    if (!*read) {
        co_return std::optional<ports::TextVersion>{};
    }
    auto file = **std::move(read);
    co_return std::optional(
        ports::TextVersion{.text = std::move(file.text), .mark = std::move(file.etag)}
    );
}

std::string RepositorySource::describe() const {
    return fmt::format("github:{}/{}@{}", place_.repo.text(), place_.path, place_.ref);
}

} // namespace baton::app
