#include "baton/wire/triage_verdict.hpp"

#include "baton/base/forms.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/wire/json_fields.hpp"
#include "baton/wire/json_text.hpp"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace baton::wire {

namespace {

namespace dom = simdjson::dom;

constexpr std::size_t kSummaryBytes = 1000;
constexpr std::size_t kReasonBytes = 300;
constexpr std::size_t kNameBytes = 200;
constexpr std::size_t kAddressBytes = 500;
constexpr std::size_t kEvidenceMax = 10;

constexpr std::array<std::string_view, 5> kCategories{
    "upstream", "backend", "infra", "flake", "unknown"
};
constexpr std::array<std::string_view, 3> kConfidences{"high", "medium", "low"};

/// An object that is written member by member.
class Written {
public:
    void put(std::string_view name, std::string_view json) {
        out_.append(out_.size() > 1 ? "," : "");
        append_json_quoted(out_, name);
        out_.append(":").append(json);
    }

    void put_text(std::string_view name, std::string_view text, std::size_t bytes) {
        put(name, json_quoted(cut_to(text, bytes)));
    }

    bool empty() const { return out_.size() == 1; }

    std::string done() const { return out_ + "}"; }

private:
    std::string out_{"{"};
};

Result<std::string_view>
word_at(dom::object in, std::string_view pointer, std::span<const std::string_view> words) {
    BATON_TRY(const auto word, fields::text_at(in, pointer));
    if (std::ranges::find(words, word) == words.end()) {
        return fields::expected(pointer, fmt::format("one of {}", fmt::join(words, ", ")));
    }
    return word;
}

/// 1, or "1"; not true.
Result<void> check_version(dom::object in) {
    const auto found = fields::member(in, "/schema_version");
    std::int64_t number{0};
    std::string_view text;
    if (found && ((found->get(number) == simdjson::SUCCESS && number == 1) ||
                  (found->get(text) == simdjson::SUCCESS && whole_number(text) == 1))) {
        return {};
    }
    return fields::expected("/schema_version", "1");
}

/// Texts that are there, each cut to its bound.
Result<void> put_texts(
    Written& out, dom::object in, std::span<const std::string_view> names, std::size_t bytes
) {
    for (const auto name : names) {
        BATON_TRY(const auto text, fields::text_if(in, fmt::format("/{}", name)));
        if (text) {
            out.put_text(name, *text, bytes);
        }
    }
    return {};
}

bool is_short_commit(std::string_view text) {
    return text.size() >= 7 && text.size() <= 40 && is_hex(text);
}

Result<std::string> suspect_of(dom::object suspect) {
    Written out;
    if (fields::member(suspect, "/pr")) {
        BATON_TRY(const auto pr, fields::positive_at(suspect, "/pr"));
        out.put("pr", std::to_string(pr));
    }
    BATON_TRY(const auto commit, fields::text_if(suspect, "/commit"));
    if (commit) {
        if (!is_short_commit(*commit)) {
            return fields::expected("/commit", "7 to 40 hex digits");
        }
        out.put_text("commit", *commit, commit->size());
    }
    if (out.empty()) {
        return fields::expected("/suspected_upstream", "pr or commit");
    }
    BATON_TRY(const auto reason, fields::text_if(suspect, "/reason"));
    if (reason) {
        out.put_text("reason", *reason, kReasonBytes);
    }
    return out.done();
}

bool is_plain_address(std::string_view text) {
    if (text.size() > kAddressBytes || !is_web_address(text)) {
        return false;
    }
    const auto host = text.substr(text.find("//") + 2);
    return host.substr(0, host.find('/')).find('@') == std::string_view::npos;
}

Result<std::string> evidence_of(dom::element item) {
    dom::object object;
    if (item.get(object) != simdjson::SUCCESS) {
        return fields::expected("/evidence", "objects");
    }
    Written out;
    constexpr std::array<std::string_view, 2> kNames{"job", "test"};
    constexpr std::array<std::string_view, 1> kExcerpt{"excerpt"};
    if (auto put = put_texts(out, object, kNames, kNameBytes); !put) {
        return fail(put.error());
    }
    if (auto put = put_texts(out, object, kExcerpt, kSummaryBytes); !put) {
        return fail(put.error());
    }
    BATON_TRY(const auto address, fields::text_if(object, "/log_url"));
    if (address) {
        if (!is_plain_address(*address)) {
            return fields::expected("/log_url", "a plain http(s) address");
        }
        out.put_text("log_url", *address, kAddressBytes);
    }
    return out.done();
}

Result<void> put_evidence(Written& out, dom::object verdict) {
    BATON_TRY(const auto list, fields::array_if(verdict, "/evidence"));
    if (!list) {
        return {};
    }
    std::string all = "[";
    std::size_t kept = 0;
    for (const auto item : *list) {
        if (kept++ == kEvidenceMax) {
            break;
        }
        BATON_TRY(const auto one, evidence_of(item));
        all.append(all.size() > 1 ? "," : "").append(one);
    }
    out.put("evidence", all + "]");
    return {};
}

Result<void> put_rest(Written& out, dom::object verdict) {
    if (const auto retried = fields::member(verdict, "/reproduced_on_retry")) {
        BATON_TRY(const auto flag, fields::flag_if(verdict, "/reproduced_on_retry"));
        out.put("reproduced_on_retry", flag ? "true" : "false");
    }
    BATON_TRY(const auto analyzer, fields::object_if(verdict, "/analyzer"));
    if (analyzer) {
        constexpr std::array<std::string_view, 4> kNames{
            "name", "version", "model", "prompt_version"
        };
        Written inner;
        if (auto put = put_texts(inner, *analyzer, kNames, kNameBytes); !put) {
            return put;
        }
        out.put("analyzer", inner.done());
    }
    BATON_TRY(const auto analyzed_at, fields::text_if(verdict, "/analyzed_at"));
    if (analyzed_at) {
        if (!parse_rfc3339(*analyzed_at)) {
            return fields::expected("/analyzed_at", "a time like 2026-11-15T13:30:00Z");
        }
        out.put_text("analyzed_at", *analyzed_at, kNameBytes);
    }
    return {};
}

Result<void> put_suspect(Written& out, dom::object verdict, std::string_view category) {
    BATON_TRY(const auto suspect, fields::object_if(verdict, "/suspected_upstream"));
    if (!suspect) {
        return {};
    }
    if (category != kCategories.front()) {
        return fields::expected("/suspected_upstream", "category upstream beside it");
    }
    BATON_TRY(const auto written, suspect_of(*suspect));
    out.put("suspected_upstream", written);
    return {};
}

} // namespace

Result<std::string> read_triage_verdict(dom::element verdict) {
    dom::object object;
    if (verdict.get(object) != simdjson::SUCCESS) {
        return fail(Errc::invalid, "expected an object");
    }
    if (std::string(simdjson::minify(verdict)).size() > limits::kTriageVerdictBytesMax) {
        return fail(
            Errc::invalid, fmt::format("longer than {} bytes", limits::kTriageVerdictBytesMax)
        );
    }
    if (auto version = check_version(object); !version) {
        return fail(version.error());
    }
    BATON_TRY(const auto category, word_at(object, "/category", kCategories));
    BATON_TRY(const auto confidence, word_at(object, "/confidence", kConfidences));
    BATON_TRY(const auto summary, fields::text_at(object, "/summary"));
    if (trimmed(summary).empty()) {
        return fields::expected("/summary", "text");
    }
    Written out;
    out.put("schema_version", "1");
    out.put_text("category", category, category.size());
    out.put_text("confidence", confidence, confidence.size());
    out.put_text("summary", summary, kSummaryBytes);
    for (const auto& put :
         {put_suspect(out, object, category), put_evidence(out, object), put_rest(out, object)}) {
        if (!put) {
            return fail(put.error());
        }
    }
    return out.done();
}

} // namespace baton::wire
