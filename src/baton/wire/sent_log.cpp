#include "baton/wire/sent_log.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/comparison.hpp"

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace baton::wire {

namespace json = boost::json;

namespace {

using Fields = std::map<std::string, std::string, std::less<>>;

void complain(SentLog& log, int line, std::string message) {
    if (log.findings.size() < limits::kFindingsMax) {
        log.findings.push_back(
            {.severity = domain::Severity::error,
             .line = line,
             .column = 1,
             .message = std::move(message)}
        );
    }
}

std::string field(const Fields& fields, std::string_view name) {
    const auto at = fields.find(name);
    return at == fields.end() ? "" : at->second;
}

void take(SentLog& log, const Fields& fields, int line) {
    domain::OtherDispatch dispatch;
    dispatch.delivery = DeliveryId(field(fields, "delivery_id"));
    if (dispatch.delivery.empty()) {
        complain(log, line, "delivery_id is missing");
        return;
    }
    auto downstream = RepoName::parse(field(fields, "downstream"));
    if (!downstream) {
        complain(
            log,
            line,
            fmt::format("downstream \"{}\" is not OWNER/REPO", inert(field(fields, "downstream")))
        );
        return;
    }
    dispatch.downstream = *std::move(downstream);
    dispatch.event_type = field(fields, "event_type");
    if (const auto text = field(fields, "at"); !text.empty()) {
        const auto at = parse_rfc3339(text);
        if (!at) {
            complain(log, line, fmt::format("at: {}", at.error().detail));
            return;
        }
        dispatch.at = *at;
    }
    log.dispatches.push_back(std::move(dispatch));
}

void take_json(SentLog& log, std::string_view text, int line) {
    std::error_code broken;
    const auto value = json::parse(text, broken);
    const auto* object = broken ? nullptr : value.if_object();
    if (object == nullptr) {
        complain(log, line, "this line is not a JSON object");
        return;
    }
    Fields fields;
    for (const auto& [name, one] : *object) {
        if (const auto* words = one.if_string()) {
            fields.emplace(std::string(name), std::string(*words));
        }
    }
    take(log, fields, line);
}

/// The cells of one line: quoted ones may hold commas and doubled quotes, but no line ends. nullopt
/// when a quote is not closed.
std::optional<std::vector<std::string>> cells_of(std::string_view line) {
    std::vector<std::string> cells(1);
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (quoted && c == '"' && i + 1 < line.size() && line[i + 1] == '"') {
            cells.back() += '"';
            ++i;
        } else if (c == '"') {
            quoted = !quoted;
        } else if (c == ',' && !quoted) {
            cells.emplace_back();
        } else {
            cells.back() += c;
        }
    }
    for (auto& cell : cells) {
        cell = std::string(trimmed(cell));
    }
    return quoted ? std::nullopt : std::optional(std::move(cells));
}

void take_cells(
    SentLog& log, const std::vector<std::string>& head, std::string_view text, int line
) {
    const auto cells = cells_of(text);
    if (!cells || cells->size() != head.size()) {
        complain(
            log,
            line,
            cells ? fmt::format("{} cells under a head of {}", cells->size(), head.size())
                  : "a quote is not closed on this line"
        );
        return;
    }
    Fields fields;
    for (std::size_t i = 0; i < head.size(); ++i) {
        fields.emplace(head[i], (*cells)[i]);
    }
    take(log, fields, line);
}

/// False after saying what the head lacks.
bool has_columns(SentLog& log, const std::vector<std::string>& head, int line) {
    for (const auto* name : {"delivery_id", "downstream"}) {
        if (std::ranges::find(head, name) == head.end()) {
            complain(log, line, fmt::format("the head of the table has no column {}", name));
            return false;
        }
    }
    return true;
}

} // namespace

SentLog read_sent_log(std::string_view text) {
    SentLog log;
    std::vector<std::string> head;
    std::optional<bool> is_json;
    for (int line = 1; !text.empty(); ++line) {
        const auto end = std::min(text.find('\n'), text.size());
        auto one = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (one.ends_with('\r')) {
            one.remove_suffix(1);
        }
        one = trimmed(one);
        if (one.empty()) {
            continue;
        }
        if (!is_json) {
            is_json = one.starts_with('{');
            if (!*is_json) {
                head = cells_of(one).value_or(std::vector<std::string>{});
                if (!has_columns(log, head, line)) {
                    return log;
                }
                continue;
            }
        }
        if (*is_json) {
            take_json(log, one, line);
        } else {
            take_cells(log, head, one, line);
        }
    }
    return log;
}

} // namespace baton::wire
