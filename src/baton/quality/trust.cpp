#include "baton/quality/trust.hpp"

#include "baton/quality/assessment.hpp"

#include <string_view>

namespace baton::quality {

namespace {

/// A relay's own: what `collect` writes down, or a figure over a window.
bool is_measured(const Evidence& evidence) {
    return evidence.type == "ci-metric" &&
           (evidence.metric == "cpq-metrics/1" || evidence.window.has_value());
}

} // namespace

Trust trust_of(const Evidence& evidence) {
    if (evidence.type == "statement") {
        return Trust::statement;
    }
    const bool has_digest = !evidence.sha256.empty() || !evidence.digest.empty();
    if (has_digest && is_measured(evidence)) {
        return Trust::measured;
    }
    if (has_digest && !evidence.run.empty()) {
        return Trust::reported;
    }
    if (!evidence.file.empty() && !evidence.sha256.empty()) {
        return Trust::file;
    }
    const bool has_place = !evidence.url.empty() || !evidence.query.empty();
    return has_place && evidence.open ? Trust::link : Trust::statement;
}

std::string_view tier_of(Trust trust) {
    switch (trust) {
    case Trust::measured:
        return "T4";
    case Trust::reported:
        return "T3";
    case Trust::file:
        return "T2";
    case Trust::link:
        return "T1";
    case Trust::statement:
        break;
    }
    return "T0";
}

std::string_view words_of(Trust trust) {
    switch (trust) {
    case Trust::measured:
        return "measured by a relay";
    case Trust::reported:
        return "reported by an authenticated repository";
    case Trust::file:
        return "a file with its digest";
    case Trust::link:
        return "a public link";
    case Trust::statement:
        break;
    }
    return "a statement";
}

} // namespace baton::quality
