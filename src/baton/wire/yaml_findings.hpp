#pragma once

#include "baton/domain/allowlist.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace baton::wire::yaml {

/// Where something stands in a file, both from 1; columns count characters. Zero: no place in
/// particular.
struct Place {
    int line{0};
    int column{0};

    friend auto operator<=>(const Place&, const Place&) = default;
};

/// Collects what a file has wrong, so that its writer gets everything in one go. At most
/// limits::kFindingsMax; the last one then says how many more there are.
class Findings {
public:
    void error(Place at, std::string message);
    void warning(Place at, std::string message);

    bool any_errors() const { return errors_ > 0; }

    /// In file order.
    std::vector<domain::Finding> take() &&;

private:
    void add(domain::Finding finding);

    std::vector<domain::Finding> findings_;
    std::size_t errors_{0};
    std::size_t dropped_{0};
    bool dropped_error_{false};
};

} // namespace baton::wire::yaml
