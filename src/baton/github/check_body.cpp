#include "baton/github/check_body.hpp"

#include "baton/base/time.hpp"
#include "baton/domain/check.hpp"
#include "baton/domain/report.hpp"
#include "baton/ports/github.hpp"
#include "baton/wire/cut_text.hpp"
#include "baton/wire/json_text.hpp"

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace baton::github {

namespace {

void add_text(std::string& to, std::string_view key, std::string_view value) {
    to += fmt::format(R"({}"{}":{})", to.empty() ? "" : ",", key, wire::json_quoted(value));
}

} // namespace

std::string check_body(const ports::CheckCall& call) {
    const auto& check = call.check;
    std::string fields;
    add_text(fields, "name", check.name);
    if (!call.id) {
        add_text(fields, "head_sha", call.head.text());
    }
    if (!check.external_id.empty()) {
        add_text(fields, "external_id", check.external_id);
    }
    if (!check.details_url.empty()) {
        add_text(fields, "details_url", check.details_url);
    }
    add_text(fields, "status", domain::name_of(check.status));
    if (check.started_at) {
        add_text(fields, "started_at", to_rfc3339(*check.started_at));
    }
    if (check.status == domain::CheckStatus::completed) { // GitHub ends what has a conclusion
        if (check.conclusion) {
            add_text(fields, "conclusion", domain::name_of(*check.conclusion));
        }
        if (check.completed_at) {
            add_text(fields, "completed_at", to_rfc3339(*check.completed_at));
        }
    }
    if (!check.title.empty()) { // GitHub takes no summary without a title
        std::string output;
        add_text(output, "title", wire::cut_end(check.title, kCheckTitleMax));
        add_text(output, "summary", wire::cut_end(check.summary, kCheckSummaryMax));
        fields += fmt::format(R"(,"output":{{{}}})", output);
    }
    return fmt::format("{{{}}}", fields);
}

std::string comment_body(const ports::CommentCall& call) {
    std::string fields;
    add_text(fields, "body", wire::cut_end(call.text, kCommentMax));
    return fmt::format("{{{}}}", fields);
}

} // namespace baton::github
