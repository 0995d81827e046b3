#include "baton/wire/notice.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/domain/markdown.hpp"
#include "baton/domain/notification.hpp"
#include "baton/wire/bundle_parts.hpp"
#include "baton/wire/ladder_json.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace baton::wire {

namespace {

namespace json = boost::json;

constexpr std::size_t kSentenceMost = 2000; // several downstreams may stand in one

std::string text_in(const json::object& letter, std::string_view name) {
    const auto* const found = letter.if_contains(name);
    return found != nullptr && found->is_string() ? std::string(found->as_string()) : std::string();
}

/// As GitHub lets people be called: nothing else is a mention.
bool is_login(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '-' || c == '_';
    });
}

std::string whom(const Notice& notice) {
    std::string out;
    for (const auto& login : notice.oncalls) {
        if (is_login(login.text())) {
            out += (out.empty() ? "On call: @" : ", @") + login.text();
        }
    }
    return out.empty() ? out : out + "\n\n";
}

} // namespace

Result<Notice> read_notice(std::string_view body) {
    std::error_code broken;
    const auto root = json::parse(body, broken);
    if (broken || !root.is_object()) {
        return fail(Errc::invalid, "this letter is no JSON object");
    }
    const auto& letter = root.as_object();
    const auto kind = domain::notification_kind_named(text_in(letter, "kind"));
    if (!kind) {
        return fail(
            Errc::invalid, "this letter tells of something that this version does not know"
        );
    }
    const auto downstream = RepoName::parse(text_in(letter, "downstream"));
    Notice notice{
        .kind = *kind,
        .downstream = downstream ? downstream->text() : std::string(),
        .text = text_in(letter, "text"),
    };
    const auto* const oncalls = letter.if_contains("oncalls");
    if (oncalls != nullptr && oncalls->is_array()) {
        for (const auto& login : oncalls->as_array()) {
            if (login.is_string()) {
                notice.oncalls.emplace_back(std::string(login.as_string()));
            }
        }
    }
    const auto* const evidence = letter.if_contains("evidence");
    if (evidence != nullptr && evidence->is_object()) {
        auto criteria = read_figures(json::serialize(*evidence));
        if (criteria) { // that of the gate has another form, and is for programs
            notice.criteria = *std::move(criteria);
        }
    }
    return notice;
}

std::string notice_page(const Notice& notice, const std::string& page) {
    if (page.empty() || notice.downstream.empty()) {
        return page.empty() ? page : page + "/levels";
    }
    const bool of_gate = notice.kind == domain::NotificationKind::suspended ||
                         notice.kind == domain::NotificationKind::returned;
    return fmt::format("{}/b/{}{}", page, notice.downstream, of_gate ? "" : "/level");
}

std::string notice_comment(const Notice& notice, const std::string& page) {
    auto out = fmt::format(
        "**{}**: {}\n\n",
        domain::name_of(notice.kind),
        domain::inert_sentence(notice.text, kSentenceMost)
    );
    out += whom(notice);
    if (!notice.criteria.empty()) {
        out += criteria_table(notice.criteria) + "\n";
    }
    const auto where = notice_page(notice, page);
    return where.empty() ? out : fmt::format("{}{}\n", out, where);
}

} // namespace baton::wire
