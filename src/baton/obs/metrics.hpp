#pragma once

#include "baton/base/time.hpp"
#include "baton/domain/quota.hpp"
#include "baton/ports/journal.hpp"
#include "baton/ports/store.hpp"

#include <memory>
#include <string>
#include <vector>

namespace baton::obs {

/// Counts what the journal tells and prints it in Prometheus' text format;
/// docs/operations/metrics.md says what each name means. Any thread may note, observe and render.
///
/// No label names a downstream, a person or a pull request: such series grow without end, and a
/// private downstream must not be visible here. Labels take words of our own; should one come from
/// elsewhere, what exceeds `limits::kMetricWordsMax` values is counted as "other".
class Metrics final : public ports::Journal {
public:
    Metrics();
    ~Metrics() override;

    void note(const ports::JournalEntry& entry) override;

    /// Sets the gauges that only the store knows. Called every few seconds.
    void observe(const ports::Counts& counts, TimePoint now);

    void observe(const ports::ResultCounts& counts, TimePoint now);

    /// The store does not answer: the gauges that only it knows are NaN until it does. An old
    /// figure would keep an alert going that other relays know to be over.
    void forget_store();

    /// The same for what GitHub's limits leave us.
    void observe(const std::vector<domain::QuotaView>& quotas);

    std::string render() const;

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

/// What `render` returns, for the Content-Type header.
inline constexpr const char* kMetricsContentType = "text/plain; version=0.0.4; charset=utf-8";

} // namespace baton::obs
