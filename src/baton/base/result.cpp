#include "baton/base/result.hpp"

#include <string_view>

namespace baton {

std::string_view name_of(Errc code) {
    switch (code) {
    case Errc::not_found:
        return "not_found";
    case Errc::conflict:
        return "conflict";
    case Errc::invalid:
        return "invalid";
    case Errc::unauthenticated:
        return "unauthenticated";
    case Errc::forbidden:
        return "forbidden";
    case Errc::throttled:
        return "throttled";
    case Errc::unavailable:
        return "unavailable";
    case Errc::timed_out:
        return "timed_out";
    case Errc::cancelled:
        return "cancelled";
    }
    return "unknown";
}

} // namespace baton
