#include "baton/config/allowlist_at.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace baton::config {

namespace {

constexpr std::string_view kFile = "file:";
constexpr std::string_view kGithub = "github:";

/// A path inside a repository that means the same to everybody: no step up, no empty part.
bool is_plain_path(std::string_view path) {
    while (!path.empty()) {
        const auto slash = path.find('/');
        const auto part = path.substr(0, slash);
        if (part.empty() || part == "." || part == "..") {
            return false;
        }
        if (slash == std::string_view::npos) {
            return true;
        }
        path.remove_prefix(slash + 1);
    }
    return false;
}

Result<AllowlistAt> parse_github(std::string_view text) {
    const auto wrong = [text](std::string_view why) {
        return fail(
            Errc::invalid,
            fmt::format("\"github:{}\" {}: write github:OWNER/REPO/PATH@REF", inert(text), why)
        );
    };
    const auto at = text.rfind('@');
    if (at == std::string_view::npos || at + 1 == text.size()) {
        return wrong("names no branch or tag");
    }
    const auto owner_end = text.find('/');
    const auto repo_end =
        owner_end == std::string_view::npos ? owner_end : text.find('/', owner_end + 1);
    if (repo_end == std::string_view::npos || repo_end > at) {
        return wrong("names no file in a repository");
    }
    auto repo = RepoName::parse(text.substr(0, repo_end));
    if (!repo) {
        return wrong("names no repository");
    }
    const auto path = text.substr(repo_end + 1, at - repo_end - 1);
    if (!is_plain_path(path)) {
        return wrong("has a path that is none");
    }
    return AllowlistAt(AllowlistOnGithub{
        .repo = *std::move(repo),
        .path = std::string(path),
        .ref = std::string(text.substr(at + 1)),
    });
}

struct Print {
    std::string operator()(const AllowlistFile& file) const {
        return std::string(kFile) + file.path;
    }

    std::string operator()(const AllowlistOnGithub& at) const {
        return fmt::format("{}{}/{}@{}", kGithub, at.repo.text(), at.path, at.ref);
    }
};

} // namespace

Result<AllowlistAt> parse_allowlist_at(std::string_view text) {
    if (text.starts_with(kGithub)) {
        return parse_github(text.substr(kGithub.size()));
    }
    if (text.starts_with(kFile) && text.size() > kFile.size() && !text.starts_with("file://")) {
        return AllowlistAt(AllowlistFile{.path = std::string(text.substr(kFile.size()))});
    }
    return fail(
        Errc::invalid,
        fmt::format(
            "\"{}\" is no place for an allowlist: write file:PATH or github:OWNER/REPO/PATH@REF",
            inert(text)
        )
    );
}

std::string to_text(const AllowlistAt& at) {
    return std::visit(Print{}, at);
}

} // namespace baton::config
