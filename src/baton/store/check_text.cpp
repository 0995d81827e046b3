// The part of the ledger's words that is about checks, re-runs and the gate.

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/gate_suspension.hpp"
#include "baton/domain/rerun.hpp"
#include "baton/domain/run.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/ledger_text.hpp"

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <boost/system/error_code.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <string>

namespace baton::store {

namespace json = boost::json;

namespace {

std::string place_of(const domain::Subject& subject) {
    auto place =
        subject.pr
            ? fmt::format("{} #{}", subject.upstream.text(), static_cast<std::int64_t>(*subject.pr))
            : fmt::format("{} merge queue", subject.upstream.text());
    if (!subject.head.empty()) {
        place += fmt::format(" at {}", subject.head.text());
    }
    return place;
}

std::string words_for(const domain::NewRerun& order) {
    return fmt::format(
        "{} of {} for {} ({}), by {}",
        order.run_id.empty() ? std::string("every run") : fmt::format("run {}", order.run_id),
        order.downstream.text(),
        place_of(order.subject),
        order.scope == domain::RerunScope::failed ? "failed jobs" : "all jobs",
        order.actor.empty() ? name_of(order.cause) : std::string_view(order.actor)
    );
}

/// Evidence is JSON by promise; a text that is not is kept as the text it is.
json::value evidence_in(const std::string& text) {
    boost::system::error_code broken;
    auto parsed = json::parse(text, broken);
    return broken ? json::value(text) : parsed;
}

json::object object_of(const domain::GateSuspension& suspension) {
    return {
        {"upstream", suspension.upstream.text()},
        {"downstream", suspension.downstream.text()},
        {"by_hand", suspension.by_hand},
        {"actor", suspension.actor},
        {"reason", suspension.reason},
        {"evidence", evidence_in(suspension.evidence)},
    };
}

} // namespace

std::string posting_given_up_detail(const ports::KeptPosting& posting) {
    return fmt::format(
        "{} on {}: {}", posting.check.name, place_of(posting.subject), posting.trouble
    );
}

std::string rerun_ordered_detail(const domain::NewRerun& order) {
    return words_for(order);
}

std::string rerun_ended_detail(const domain::Rerun& order) {
    return fmt::format(
        "{}: {}{}{}",
        words_for(order),
        name_of(order.state),
        order.detail.empty() ? "" : ", ",
        order.detail
    );
}

std::string gate_suspended_detail(const domain::GateSuspension& suspension) {
    return json::serialize(object_of(suspension));
}

std::string
gate_resumed_detail(const domain::GateSuspension& before, const ports::GateResumption& resumption) {
    return json::serialize(json::object{
        {"upstream", before.upstream.text()},
        {"downstream", before.downstream.text()},
        {"by_hand", resumption.by_hand},
        {"actor", resumption.actor},
        {"reason", resumption.reason},
        {"suspended_since_ms", to_ms(before.since)},
        {"after", object_of(before)},
    });
}

} // namespace baton::store
