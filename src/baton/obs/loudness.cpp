#include "baton/domain/dispatch.hpp"
#include "baton/domain/letter.hpp"
#include "baton/domain/posting.hpp"
#include "baton/domain/rerun.hpp"
#include "baton/domain/retry.hpp"
#include "baton/obs/line.hpp"
#include "baton/ports/journal.hpp"

#include <string_view>
#include <variant>

namespace baton::obs {

namespace {

struct Loud {
    Loudness operator()(const ports::WebhookAnswered& entry) const {
        if (entry.status >= 500) {
            return Loudness::warn;
        }
        return entry.status >= 400 ? Loudness::info : Loudness::debug;
    }

    Loudness operator()(const ports::CallbackAnswered& entry) const {
        if (entry.status >= 500) {
            return Loudness::warn;
        }
        return entry.status >= 400 ? Loudness::info : Loudness::debug;
    }

    Loudness operator()(const ports::DeliveryPlanned&) const { return Loudness::info; }

    Loudness operator()(const ports::DispatchAttempted& entry) const {
        if (entry.state == domain::DispatchState::dead ||
            entry.answer.outcome == domain::Outcome::unauthenticated) {
            return Loudness::error;
        }
        const bool forward = entry.answer.outcome == domain::Outcome::accepted ||
                             entry.state == domain::DispatchState::superseded ||
                             entry.state == domain::DispatchState::cancelled;
        return forward ? Loudness::info : Loudness::warn;
    }

    Loudness operator()(const ports::AllowlistInForce&) const { return Loudness::info; }

    Loudness operator()(const ports::AllowlistRefused&) const { return Loudness::error; }

    Loudness operator()(const ports::HookLogWalked& entry) const {
        if (entry.given_up > 0) {
            return Loudness::error;
        }
        return entry.asked > 0 || entry.astray > 0 ? Loudness::warn : Loudness::debug;
    }

    Loudness operator()(const ports::DayCompleted& entry) const {
        return entry.day.missing() > 0 ? Loudness::error : Loudness::info;
    }

    Loudness operator()(const ports::SilenceNoted& entry) const {
        return entry.superseded ? Loudness::info : Loudness::warn;
    }

    Loudness operator()(const ports::JobTimedOut&) const { return Loudness::warn; }

    Loudness operator()(const ports::ScheduleTurned& entry) const {
        return entry.outcome == ports::ScheduleTurned::Outcome::missed ? Loudness::error
                                                                       : Loudness::info;
    }

    Loudness operator()(const ports::LetterAttempted& entry) const {
        switch (entry.fate) {
        case domain::LetterFate::delivered:
            return Loudness::debug; // the callback told the same result
        case domain::LetterFate::again:
            return Loudness::warn;
        case domain::LetterFate::dead:
            return Loudness::error;
        }
        return Loudness::error;
    }

    Loudness operator()(const ports::PostingAttempted& entry) const {
        switch (entry.fate) {
        case domain::PostingFate::done:
            return Loudness::debug;
        case domain::PostingFate::again:
        case domain::PostingFate::anew:
            return Loudness::warn;
        case domain::PostingFate::given_up:
            return Loudness::error;
        }
        return Loudness::error;
    }

    Loudness operator()(const ports::RerunEnded& entry) const {
        return entry.state == domain::RerunState::refused ? Loudness::warn : Loudness::info;
    }

    Loudness operator()(const ports::GateMoved& entry) const {
        return entry.suspended ? Loudness::error : Loudness::info;
    }

    Loudness operator()(const ports::LadderMoved& entry) const {
        return entry.to < entry.from ? Loudness::warn : Loudness::info;
    }

    Loudness operator()(const ports::Pruned&) const { return Loudness::info; }

    Loudness operator()(const ports::Trouble& entry) const {
        return entry.healed ? Loudness::warn : Loudness::error;
    }

    Loudness operator()(const ports::LifeTurn&) const { return Loudness::info; }
};

} // namespace

std::string_view name_of(Loudness loudness) {
    switch (loudness) {
    case Loudness::debug:
        return "debug";
    case Loudness::info:
        return "info";
    case Loudness::warn:
        return "warn";
    case Loudness::error:
        return "error";
    }
    return "unknown";
}

Loudness loudness_of(const ports::JournalEntry& entry) {
    return std::visit(Loud{}, entry);
}

} // namespace baton::obs
