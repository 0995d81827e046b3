#include "baton/domain/run.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace baton::domain {

std::string page_of(const Subject& subject, std::string_view page) {
    if (page.empty() || !subject.pr) {
        return {};
    }
    return fmt::format(
        "{}/pr/{}/{}", page, subject.upstream.text(), static_cast<std::int64_t>(*subject.pr)
    );
}

} // namespace baton::domain
