#pragma once

#include "baton/base/draw.hpp"
#include "baton/base/time.hpp"
#include "baton/net/client.hpp"
#include "baton/report/body.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace baton::report {

/// What a relay said to one try, or why it said nothing.
struct Answer {
    int http_status{0}; // 0: no answer
    std::string status; // in_progress, completed, ignored
    bool proceed{true}; // false: another run has this work, or nobody needs it any more
    bool duplicate{false};
    bool stale{false};
    std::string detail; // the relay's own sentence, or what the network said; inert
    std::optional<Millis> retry_after;
    std::vector<std::string> notes; // what the relay did not take of the report; inert

    bool accepted() const { return http_status >= 200 && http_status < 300; }
};

/// Any bytes get an answer: a 2xx counts whatever its body says.
Answer answer_in(const net::ClientReply& reply);

/// What to do after a try.
enum class Move : std::uint8_t {
    stop = 1,    // it is decided, well or badly
    again,       // the same once more
    fresh_token, // at once, with another token
    smaller,     // at once, with half the bytes
    give_up,     // time or tries are spent
};

struct Decision {
    Move move{Move::stop};
    Millis wait{0}; // before `again`
};

/// How far it has come.
struct Progress {
    int tries{0}; // this one included
    Millis age{0};
    bool token_renewed{false};
    bool token_renews{false};
    std::size_t bytes_max{kReportBytesMax};
};

struct Patience {
    Millis timeout{std::chrono::seconds(60)}; // for everything together
    int tries_max{10};
};

/// 429, 408, 5xx and silence are tried again, with doubling, jittered waits and never before the
/// time that the relay named; 401 once more with a fresh token; 413 with less; everything else
/// stands. Pure.
Decision
decide(const Answer& answer, const Progress& progress, const Patience& patience, Draw draw);

} // namespace baton::report
