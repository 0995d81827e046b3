#include "baton/api/hud_json.hpp"
#include "baton/api/hud_parts.hpp"
#include "baton/api/hud_query.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/crypto/sha256.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/allowlist_diff.hpp"
#include "baton/domain/level.hpp"
#include "baton/hud/shown.hpp"
#include "baton/net/server.hpp"
#include "baton/ports/store.hpp"
#include "baton/relay/allowlist_book.hpp"
#include "baton/wire/allowlist.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::api {

namespace json = boost::json;

namespace {

constexpr std::size_t kVersionsShown = 20;

json::object finding_json(const domain::Finding& finding) {
    return {
        {"severity", finding.severity == domain::Severity::error ? "error" : "warning"},
        {"line", finding.line},
        {"column", finding.column},
        {"message", finding.message},
    };
}

json::object entry_json(const domain::Downstream& entry) {
    json::array oncall;
    for (const auto& login : entry.oncalls) {
        oncall.emplace_back(login.text());
    }
    json::array settings;
    for (const auto& key : wire::keys_of(entry)) {
        settings.push_back(json::object{{"key", key.name}, {"value", key.value}});
    }
    json::object written{
        {"repo", entry.repo.text()},
        {"device", entry.device},
        {"line", entry.line},
        {"oncall", std::move(oncall)},
        {"settings", std::move(settings)},
    };
    put_levels(written, entry.level, entry.lowered_from);
    return written;
}

json::value level_json(const domain::Downstream* entry) {
    return entry == nullptr ? json::value(nullptr)
                            : json::value(domain::name_of(domain::listed_level(*entry)));
}

bool is_open(const domain::Downstream* entry) {
    return entry == nullptr || entry->visibility == domain::Visibility::open;
}

json::array changes_json(
    const domain::Allowlist& before, const domain::Allowlist& after, const hud::Shown& shown
) {
    json::array list;
    for (const auto& change : domain::changes_between(before, after)) {
        if (!is_open(change.before) || !is_open(change.after) ||
            shown.betrays(change.repo().text())) {
            continue;
        }
        json::array meaning;
        for (const auto& words : domain::meaning_of(change)) {
            meaning.emplace_back(words);
        }
        list.push_back(json::object{
            {"repo", change.repo().text()},
            {"kind", domain::name_of(change.kind())},
            {"before", level_json(change.before)},
            {"after", level_json(change.after)},
            {"meaning", std::move(meaning)},
        });
    }
    return list;
}

/// Newest first; the oldest that was read is only compared with.
json::array
history_json(const std::vector<ports::AllowlistVersion>& versions, const hud::Shown& shown) {
    json::array list;
    std::vector<domain::Allowlist> lists;
    lists.reserve(versions.size());
    for (const auto& version : versions) {
        lists.push_back(wire::read_allowlist(version.text).allowlist.value_or(domain::Allowlist{}));
    }
    for (std::size_t i = 0; i < std::min(versions.size(), kVersionsShown); ++i) {
        list.push_back(json::object{
            {"at", to_rfc3339(versions[i].in_force_at)},
            {"digest", crypto::sha256_hex(versions[i].text)},
            {"changes",
             i + 1 < versions.size() ? changes_json(lists[i + 1], lists[i], shown) : json::array()},
        });
    }
    return list;
}

/// "FILE:LINE:COLUMN: error: message", as a list that cannot be read is refused with.
std::pair<std::optional<std::int64_t>, std::optional<std::int64_t>>
place_in(std::string_view trouble) {
    const auto end = trouble.find(": error: ");
    const auto column = end == std::string_view::npos ? end : trouble.rfind(':', end - 1);
    const auto line = column == std::string_view::npos || column == 0
                          ? std::string_view::npos
                          : trouble.rfind(':', column - 1);
    if (line == std::string_view::npos) {
        return {};
    }
    return {
        whole_number(trouble.substr(line + 1, column - line - 1)),
        whole_number(trouble.substr(column + 1, end - column - 1)),
    };
}

json::value refused_json(const relay::AllowlistStatus& status, const hud::Shown& shown) {
    if (status.trouble.empty()) {
        return nullptr;
    }
    const auto [line, column] = place_in(status.trouble);
    const auto number = [](std::optional<std::int64_t> one) {
        return one ? json::value(*one) : json::value(nullptr);
    };
    // A fault quotes the new text, and what of it is private only that text says.
    const auto detail =
        line ? fmt::format("line {} has a fault; `baton allowlist lint` says which", *line)
             : shown.discreet(status.trouble);
    return json::object{
        {"at", to_rfc3339(status.trouble_since)},
        {"detail", detail},
        {"line", number(line)},
        {"column", number(column)},
    };
}

json::object view_of(
    const relay::AllowlistStatus& status,
    const std::vector<ports::AllowlistVersion>& versions,
    const hud::Shown& shown
) {
    const auto* const newest = versions.empty() ? nullptr : &versions.front();
    json::array findings;
    json::array entries;
    if (newest != nullptr) {
        const auto reading = wire::read_allowlist(newest->text);
        for (auto finding : reading.findings) {
            finding.message = shown.discreet(std::move(finding.message));
            findings.push_back(finding_json(finding));
        }
        for (const auto& entry : reading.allowlist ? reading.allowlist->downstreams()
                                                   : std::vector<domain::Downstream>()) {
            if (shown.has(status.upstream, entry.repo)) {
                entries.push_back(entry_json(entry));
            }
        }
    }
    return {
        {"upstream", status.upstream.text()},
        {"source", newest == nullptr ? "" : newest->source},
        {"digest", newest == nullptr ? json::value() : json::value(crypto::sha256_hex(newest->text))
        },
        {"in_force_since",
         json_of(newest == nullptr ? std::nullopt : std::optional(newest->in_force_at))},
        {"refused", refused_json(status, shown)},
        {"findings", std::move(findings)},
        {"entries", std::move(entries)},
        {"history", history_json(versions, shown)},
    };
}

} // namespace

Answer allowlists(Around around, net::Request request) {
    const HudQuery query(request);
    BATON_CO_TRY(const auto only, upstream_in(query, around));
    const auto shown = around->desk.shown();
    const auto facts = around->facts();
    json::array upstreams;
    for (const auto& status : facts.allowlists) {
        if (only && *only != status.upstream) {
            continue;
        }
        BATON_CO_TRY(
            const auto versions,
            co_await around->operators.allowlist_versions(status.upstream, kVersionsShown + 1)
        );
        upstreams.push_back(view_of(status, versions, shown));
    }
    co_return json::object{{"upstreams", std::move(upstreams)}};
}

} // namespace baton::api
