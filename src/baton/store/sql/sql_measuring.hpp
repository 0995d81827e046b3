#pragma once

#include "baton/ports/measuring.hpp"
#include "baton/store/sql/queue.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace baton::store::sql {

/// ports::Measuring over the readers for pages, which outlive it.
class SqlMeasuring final : public ports::Measuring {
public:
    explicit SqlMeasuring(Queue& readers)
        : readers_(readers) {}

    Awaitable<std::vector<domain::ToldAttempt>> attempts(ports::MeasureQuery query) override;
    Awaitable<std::vector<TimePoint>> own_nightlies(ports::MeasureQuery query) override;
    Awaitable<std::vector<std::string>>
    links(ports::MeasureQuery query, std::size_t limit) override;

private:
    Queue& readers_;
};

} // namespace baton::store::sql
