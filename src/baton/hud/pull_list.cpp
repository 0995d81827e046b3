#include "baton/hud/pull_list.hpp"

#include "baton/hud/pull_page.hpp"
#include "baton/ports/views.hpp"

#include <algorithm>

namespace baton::hud {

namespace {

bool fits(Standing standing, Wish wish) {
    switch (wish) {
    case Wish::any:
        return true;
    case Wish::failing:
        return standing == Standing::failure || standing == Standing::timed_out ||
               standing == Standing::undelivered;
    case Wish::waiting:
        return standing == Standing::waiting || standing == Standing::running;
    case Wish::silent:
        return standing == Standing::silent;
    }
    return false;
}

} // namespace

bool fits(const ports::PullRow& row, Wish wish) {
    return wish == Wish::any ||
           std::ranges::any_of(row.backends, [wish](const ports::PullRow::Backend& backend) {
               return fits(standing_of(backend), wish);
           });
}

ports::PullQuery::Place place_of(const ports::PullRow& row) {
    return {.updated_at = row.updated_at, .upstream = row.upstream, .number = row.number};
}

} // namespace baton::hud
