#include "baton/base/ids.hpp"
#include "baton/domain/figures.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/views.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace baton::store::sql::views {

std::size_t count_in(const Rows& row, int column) {
    return static_cast<std::size_t>(row.integer(column));
}

std::optional<PrNumber> pr_in(const Rows& row, int column) {
    const auto number = row.maybe_integer(column);
    return number ? std::optional(PrNumber{*number}) : std::nullopt;
}

domain::Ended ended_in(const Rows& row) {
    return {
        .cells =
            {.success = count_in(row, 0),
             .flaky = count_in(row, 1),
             .failure = count_in(row, 2),
             .timed_out = count_in(row, 3),
             .no_signal = count_in(row, 4)},
        .first_passed = count_in(row, 5),
        .first_conclusive = count_in(row, 6),
        .executed_passed = count_in(row, 7),
        .executed = count_in(row, 8),
    };
}

std::vector<domain::CellOutcome> cells_in(const Rows& row, int first_column) {
    std::vector<domain::CellOutcome> cells;
    for (std::size_t i = 0; i < domain::kCellOutcomes.size(); ++i) {
        const auto number = count_in(row, first_column + static_cast<int>(i));
        cells.insert(cells.end(), number, domain::kCellOutcomes.at(i));
    }
    return cells;
}

} // namespace baton::store::sql::views
