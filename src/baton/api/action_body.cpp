#include "baton/api/action_body.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <boost/system/error_code.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace baton::api {

namespace json = boost::json;

namespace {

tl::unexpected<Error> wrong(std::string_view name, std::string_view wanted) {
    return fail(Errc::invalid, fmt::format("/{}: expected {}", name, wanted));
}

} // namespace

Result<ActionBody>
ActionBody::read(std::string_view text, std::span<const std::string_view> known) {
    boost::system::error_code broken;
    auto value = json::parse(text, broken);
    if (broken || !value.is_object()) {
        return fail(Errc::invalid, "the body must be a JSON object");
    }
    for (const auto& field : value.get_object()) {
        if (std::ranges::find(known, std::string_view(field.key())) == known.end()) {
            return fail(
                Errc::invalid,
                fmt::format(
                    "/{}: there is no such field; there are {}",
                    inert(field.key()),
                    fmt::join(known, ", ")
                )
            );
        }
    }
    return ActionBody(std::move(value.get_object()));
}

Result<std::string> ActionBody::text_if(std::string_view name, std::size_t most) const {
    const auto* value = fields_.if_contains(name);
    if (value == nullptr || value->is_null()) {
        return std::string();
    }
    const auto* text = value->if_string();
    if (text == nullptr || text->size() > most || broken_utf8_at(*text)) {
        return wrong(name, fmt::format("a text of at most {} bytes", most));
    }
    return std::string(*text);
}

Result<std::string> ActionBody::text(std::string_view name, std::size_t most) const {
    BATON_TRY(auto value, text_if(name, most));
    if (trimmed(value).empty()) {
        return wrong(name, fmt::format("a text of 1 to {} bytes", most));
    }
    return value;
}

Result<std::optional<RepoName>> ActionBody::repository_if(std::string_view name) const {
    constexpr std::size_t kNameMax = 256;
    BATON_TRY(const auto value, text_if(name, kNameMax));
    if (value.empty()) {
        return std::nullopt;
    }
    auto repo = RepoName::parse(value);
    if (!repo) {
        return wrong(name, "owner/name");
    }
    return *std::move(repo);
}

Result<RepoName> ActionBody::repository(std::string_view name) const {
    BATON_TRY(auto repo, repository_if(name));
    if (!repo) {
        return wrong(name, "owner/name");
    }
    return *std::move(repo);
}

Result<std::optional<TimePoint>> ActionBody::time_if(std::string_view name) const {
    constexpr std::size_t kTimeMax = 64;
    BATON_TRY(const auto value, text_if(name, kTimeMax));
    if (value.empty()) {
        return std::nullopt;
    }
    const auto when = parse_rfc3339(value);
    if (!when) {
        return wrong(name, "a time like 2026-11-15T13:30:00Z");
    }
    return *when;
}

} // namespace baton::api
