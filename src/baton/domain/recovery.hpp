#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace baton::domain {

/// One line of GitHub's delivery log: a try to hand a webhook over.
struct HookTry {
    std::int64_t id{0}; // what a redelivery is asked for by
    DeliveryId delivery;
    std::string event;
    std::string action;
    TimePoint at{};
    int status{0}; // what GitHub heard; it writes 5xx when it heard nothing
    bool redelivery{false};

    friend bool operator==(const HookTry&, const HookTry&) = default;
};

/// One webhook that GitHub sent: its log folded by delivery, and what we did about it.
struct SentHook {
    HookTry newest; // the newest try
    TimePoint first_at{};
    int asked{0}; // redeliveries that we asked for
    std::optional<TimePoint> asked_at;
    bool in_ledger{false};

    friend bool operator==(const SentHook&, const SentHook&) = default;
};

/// A delivery of our own making, for what happened while nobody could tell us.
inline constexpr std::string_view kRebuiltPrefix = "rebuilt-";

inline bool is_rebuilt(const DeliveryId& id) {
    return id.text().starts_with(kRebuiltPrefix);
}

/// Folds one more line into what is known; lines come in any order, and more than once.
void fold(SentHook& hook, const HookTry& line);

/// How far GitHub's log was looked through. Only `ended_at` is by our clock: clocks differ, and
/// what is compared with the log's lines has to come from them.
struct Walk {
    TimePoint born{};  // where the first walk began: what came before is not ours
    TimePoint until{}; // the newest line seen
    TimePoint ended_at{};

    friend bool operator==(const Walk&, const Walk&) = default;
};

/// Where a webhook is, as far as the log and the ledger tell.
enum class Whereabouts : std::uint8_t {
    in_ledger = 1,
    ignored,  // answered with 200: it does not concern us; or it never could
    to_ask,   // never arrived, or was lost since: GitHub shall send it again
    asked,    // under way, we hope
    given_up, // asked for as often as we may: a person has to look
};

inline constexpr int kAskedMax = 3;
inline constexpr std::chrono::minutes kAskSpacing{2}; // between two requests for one delivery

Whereabouts whereabouts_of(const SentHook& hook, TimePoint now);

/// The day's account: what GitHub sent, what is in the ledger, and what became of it. Dispatches
/// count once per delivery and downstream.
struct Completeness {
    TimePoint from{};
    TimePoint until{};
    std::size_t sent{0}; // by GitHub
    std::size_t in_ledger{0};
    std::size_t ignored{0};
    std::size_t due{0};      // dispatches that were to be sent
    std::size_t accepted{0}; // of those: GitHub has them
    std::size_t started{0};
    std::size_t reported{0};
    std::size_t open{0};  // still on their way
    std::size_t ended{0}; // failed or dead: shown to the operator

    std::size_t missing() const;
    friend bool operator==(const Completeness&, const Completeness&) = default;
};

/// "sent by GitHub 1204, in the ledger 1180, ignored 24, missing 0; dispatches due 5900, ..."
std::string to_text(const Completeness& day);

TimePoint start_of_day(TimePoint when); // UTC

} // namespace baton::domain
