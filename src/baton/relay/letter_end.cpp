#include "baton/relay/letter_end.hpp"

#include "baton/base/result.hpp"
#include "baton/domain/letter.hpp"

#include <string>
#include <utility>

namespace baton::relay {

domain::SinkAnswer told(std::string detail) {
    return {.status = 200, .detail = std::move(detail), .retry_after = {}};
}

domain::SinkAnswer answer_to(const Error& error) {
    constexpr int kNever = 422; // what a webhook says of a letter that it will not take
    switch (error.code) {
    case Errc::not_found:
    case Errc::invalid:
    case Errc::forbidden:
        return {.status = kNever, .detail = error.detail, .retry_after = {}};
    case Errc::conflict: // somebody was faster; what there is now is looked at anew
    case Errc::unauthenticated:
    case Errc::throttled:
    case Errc::unavailable:
    case Errc::timed_out:
    case Errc::cancelled:
        break;
    }
    return {.status = 0, .detail = error.detail, .retry_after = {}};
}

} // namespace baton::relay
