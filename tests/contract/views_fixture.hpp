#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/figures.hpp"
#include "baton/domain/report.hpp"
#include "baton/ports/views.hpp"
#include "baton/store/sql/sql_store.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "contract/results_fixture.hpp"
#include "contract/store_fixture.hpp"

namespace baton::test {

inline TimePoint day(int number) {
    return TimePoint(std::chrono::floor<std::chrono::days>(at(0)) + std::chrono::days{number});
}

/// The one store that has views.
class ViewsContract : public ResultsContract {
protected:
    ports::Views& views() { return static_cast<store::SqlStore&>(store()).views(); }

    ports::DownstreamQuery about(const std::string& downstream, int first = 0, int last = 0) {
        return {
            .upstream = upstream(),
            .downstream = repo(downstream),
            .window = {.from = day(first), .until = day(last + 1)}
        };
    }

    ports::DownstreamView view_of(const std::string& downstream, int first = 0, int last = 0) {
        for (const auto& view :
             must(views().downstreams({.from = day(first), .until = day(last + 1)}))) {
            if (view.downstream == repo(downstream)) {
                return view;
            }
        }
        return {};
    }

    /// Another attempt of the run that the fixture's reports are of.
    void
    again(const domain::Dispatch& dispatch, int attempt, domain::Conclusion end, TimePoint now) {
        auto said = an_end(end);
        said.key.attempt = attempt;
        report(dispatch, said, now);
    }

    /// Shorthand of the grid: one text per row.
    std::vector<std::string> rows_of(ports::GridQuery query) {
        query.upstream = upstream();
        query.downstream = repo("a/one");
        query.event_type = "pull_request";
        std::vector<std::string> rows;
        for (const auto& row : must(views().grid(query))) {
            auto text = row.head.text() + ":";
            for (const auto& cell : row.cells) {
                text += fmt::format(
                    " {}/{} {} x{}",
                    cell.workflow,
                    cell.job,
                    domain::name_of(cell.outcome),
                    cell.attempts
                );
            }
            rows.push_back(text);
        }
        return rows;
    }

    /// A pull request with one dispatch to a/one for its head, which is named after it.
    void pull(int number, TimePoint updated_at, bool open = true, const std::string& author = "") {
        const auto id = fmt::format("pr-{}-{}", number, to_ms(updated_at));
        auto delivery = a_delivery(id, updated_at);
        delivery.pr = PrNumber{number};
        must(store().insert_delivery(delivery));
        auto dispatch = a_dispatch(id, "a/one");
        dispatch.pr = PrNumber{number};
        dispatch.head = HeadSha(fmt::format("{:04}", number));
        auto plan = a_plan(id, {dispatch}, updated_at);
        plan.plan.pull_request = a_pull_request(dispatch.head.text());
        plan.plan.pull_request->number = PrNumber{number};
        plan.plan.pull_request->updated_at = updated_at;
        plan.plan.pull_request->open = open;
        plan.plan.pull_request->author = Login(author);
        must(store().commit_plan(std::move(plan)));
    }

    std::vector<int> numbers_of(ports::PullQuery query) {
        std::vector<int> numbers;
        for (const auto& row : must(views().pulls(std::move(query)))) {
            numbers.push_back(static_cast<int>(row.number));
        }
        return numbers;
    }

    std::vector<std::string> news_after(std::int64_t id) {
        std::vector<std::string> told;
        for (const auto& one : must(views().news(id, 100)).news) {
            told.push_back(fmt::format(
                "{} {} #{} {}",
                one.topic,
                one.upstream,
                one.pr ? static_cast<std::int64_t>(*one.pr) : 0,
                one.downstream
            ));
        }
        return told;
    }

    std::int64_t newest_news() { return must(views().news(0, 1)).newest; }
};

} // namespace baton::test
