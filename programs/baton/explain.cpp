// baton explain PR | DELIVERY
//
// What happened and why, in the order of time: webhook, the list in force and the rule that decided
// for each downstream, attempts, what ended them, and what happens next.

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/pull_request.hpp"
#include "baton/domain/suspension.hpp"
#include "baton/ports/checks.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/place.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <CLI/App.hpp>
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "command.hpp"
#include "deliveries.hpp"
#include "explain_story.hpp"
#include "lookup.hpp"
#include "posting_text.hpp"
#include "print.hpp"
#include "store_access.hpp"

namespace baton::program {

namespace {

namespace asio = boost::asio;
namespace json = boost::json;

constexpr std::size_t kDeliveriesMax = 200; // of one pull request, the newest

struct ExplainOptions {
    StoreChoice store;
    std::string subject;
    bool json{false};
};

/// `owner/repo#123`, `#123`, `https://github.com/owner/repo/pull/123`.
struct PrSubject {
    std::optional<RepoName> upstream;
    PrNumber number{};
};

std::optional<PrSubject> pr_in_url(std::string_view url) {
    const auto host_at = url.find("://");
    const auto path_at = host_at == std::string_view::npos ? host_at : url.find('/', host_at + 3);
    constexpr std::string_view kPull = "/pull/";
    const auto pull_at = url.find(kPull);
    if (path_at == std::string_view::npos || pull_at == std::string_view::npos ||
        pull_at <= path_at) {
        return std::nullopt;
    }
    auto rest = url.substr(pull_at + kPull.size());
    rest = rest.substr(0, rest.find_first_of("/?#"));
    const auto upstream = RepoName::parse(url.substr(path_at + 1, pull_at - path_at - 1));
    const auto number = whole_number(rest);
    if (!upstream || !number) {
        return std::nullopt;
    }
    return PrSubject{.upstream = *upstream, .number = PrNumber{*number}};
}

/// nullopt: it names a delivery.
std::optional<PrSubject> pr_in(const std::string& subject) {
    if (auto pr = pr_in_url(subject)) {
        return pr;
    }
    const auto hash = subject.find('#');
    const auto number =
        hash == std::string::npos ? std::nullopt : whole_number(subject.substr(hash + 1));
    if (!number) {
        return std::nullopt;
    }
    PrSubject pr{.upstream = std::nullopt, .number = PrNumber{*number}};
    if (hash > 0) {
        const auto upstream = RepoName::parse(subject.substr(0, hash));
        if (!upstream) {
            return std::nullopt;
        }
        pr.upstream = *upstream;
    }
    return pr;
}

struct Explanation {
    std::optional<domain::PullRequest> pull_request;
    std::vector<Told> deliveries;
    std::vector<Standing> standings;
    std::vector<ports::KeptPosting> checks; // of a pull request: on its head
};

class Explainer {
public:
    Explainer(ports::Store& store, TimePoint now)
        : store_(store)
        , lookup_(store)
        , now_(now) {}

    asio::awaitable<Result<Explanation>> delivery(std::string name) {
        BATON_CO_TRY(auto history, co_await lookup_.delivery(std::move(name)));
        Explanation explanation;
        std::vector<ports::DeliveryHistory> histories;
        histories.push_back(std::move(history));
        BATON_CO_TRY(explanation.deliveries, co_await tell(std::move(histories)));
        BATON_CO_TRY(const auto suspensions, co_await store_.suspensions(now_));
        explanation.standings = standings_of(explanation.deliveries, suspensions, now_);
        co_return explanation;
    }

    /// `invalid` when the number alone could mean several pull requests.
    asio::awaitable<Result<Explanation>> pull_request(PrSubject subject) {
        ports::DeliveryPageQuery query;
        query.pr = subject.number;
        BATON_CO_TRY(auto found, co_await lookup_.histories(std::move(query), kDeliveriesMax));
        BATON_CO_TRY(const auto upstream, upstream_of(subject, found));
        std::erase_if(found, [&upstream](const ports::DeliveryHistory& one) {
            return lower(one.delivery.repository) != upstream.key();
        });
        if (found.empty()) {
            co_return fail(Errc::not_found, "");
        }
        Explanation explanation;
        ports::PullRequestQuery about{.upstream = upstream, .number = subject.number};
        BATON_CO_TRY(explanation.pull_request, co_await store_.pull_request(std::move(about)));
        if (!explanation.pull_request) {
            explanation.pull_request =
                domain::PullRequest{.upstream = upstream, .number = subject.number};
        }
        BATON_CO_TRY(explanation.deliveries, co_await tell(std::move(found)));
        BATON_CO_TRY(const auto suspensions, co_await store_.suspensions(now_));
        explanation.standings = standings_of(explanation.deliveries, suspensions, now_);
        domain::Subject head{
            .upstream = upstream,
            .pr = subject.number,
            .head = explanation.pull_request->head,
        };
        BATON_CO_TRY(explanation.checks, co_await store_.postings_of(std::move(head)));
        co_return explanation;
    }

private:
    static Result<RepoName>
    upstream_of(const PrSubject& subject, const std::vector<ports::DeliveryHistory>& found) {
        if (subject.upstream) {
            return *subject.upstream;
        }
        std::set<RepoName> names;
        for (const auto& one : found) {
            if (auto name = RepoName::parse(one.delivery.repository)) {
                names.insert(*std::move(name));
            }
        }
        if (names.empty()) {
            return fail(Errc::not_found, "");
        }
        if (names.size() > 1) {
            return fail(
                Errc::invalid,
                fmt::format(
                    "{} upstreams have a pull request {}: say OWNER/REPO#{}",
                    names.size(),
                    static_cast<std::int64_t>(subject.number),
                    static_cast<std::int64_t>(subject.number)
                )
            );
        }
        return *names.begin();
    }

    /// Each with the lists that were in force when it was last planned.
    asio::awaitable<Result<std::vector<Told>>> tell(std::vector<ports::DeliveryHistory> histories) {
        std::vector<Told> all;
        for (auto& history : histories) {
            Told told{.history = std::move(history), .lists = {}};
            for (const auto& line : told.history.ledger) {
                if (line.kind == "planned") {
                    BATON_CO_TRY(told.lists, co_await store_.allowlists_at(line.at));
                }
            }
            all.push_back(std::move(told));
        }
        co_return all;
    }

    ports::Store& store_;
    Lookup lookup_;
    TimePoint now_;
};

std::string heading_of(const domain::PullRequest& pr) {
    auto heading = fmt::format("{}#{}", pr.upstream.text(), static_cast<std::int64_t>(pr.number));
    if (pr.version == 0) {
        return heading + ": nothing of it is planned yet";
    }
    std::vector<std::string> labels;
    labels.reserve(pr.labels.size());
    for (const auto& label : pr.labels) {
        labels.push_back(inert(label));
    }
    return fmt::format(
        "{}: {}{}, head {}, by {}, {}",
        heading,
        pr.open ? "open" : "closed",
        pr.draft ? " as a draft" : "",
        inert(pr.head.text()),
        inert(pr.author.text()),
        labels.empty() ? "no labels" : fmt::format("labels {}", fmt::join(labels, ", "))
    );
}

void print_text(const Explanation& explanation) {
    if (explanation.pull_request) {
        fmt::print("{}\n\n", heading_of(*explanation.pull_request));
    } else {
        const auto& delivery = explanation.deliveries.front().history.delivery;
        fmt::print("{} at {}\n\n", inert(place_of(delivery)), inert(delivery.head.text()));
    }
    for (const auto& told : explanation.deliveries) {
        for (const auto& moment : story_of(told)) {
            fmt::print("{}  {}\n", to_rfc3339(moment.at), moment.words);
            for (const auto& line : moment.more) {
                fmt::print("{:26}  {}\n", "", line);
            }
        }
        if (told.history.delivery.state == ports::DeliveryState::to_plan) {
            fmt::print(
                "{:24}  it waits to be planned: for its allowlist or a person's rights\n", ""
            );
        }
    }
    if (!explanation.standings.empty()) {
        Table table({"NOW", "STATE", "NEXT"});
        for (const auto& standing : explanation.standings) {
            table.add({standing.downstream.text(), standing.state, standing.next});
        }
        fmt::print("\n{}", table.text());
    }
    if (!explanation.checks.empty()) {
        fmt::print("\n{}", text_of(explanation.checks));
    }
}

json::object json_of(const domain::PullRequest& pr) {
    json::array labels;
    for (const auto& label : pr.labels) {
        labels.emplace_back(json_text(label));
    }
    return {
        {"upstream", pr.upstream.text()},
        {"number", static_cast<std::int64_t>(pr.number)},
        {"planned", pr.version > 0},
        {"head_sha", json_text(pr.head.text())},
        {"open", pr.open},
        {"draft", pr.draft},
        {"labels", std::move(labels)},
        {"author", json_text(pr.author.text())},
    };
}

json::object json_of(const Told& told) {
    auto out = to_json(told.history);
    out["story"] = to_json(story_of(told));
    json::array lists;
    for (const auto& version : told.lists) {
        lists.emplace_back(json::object{
            {"upstream", version.upstream.text()},
            {"source", json_text(version.source)},
            {"mark", json_text(version.mark)},
            {"in_force_at", to_rfc3339(version.in_force_at)},
        });
    }
    out["allowlists"] = std::move(lists);
    return out;
}

json::object json_of(const Explanation& explanation) {
    json::array deliveries;
    for (const auto& told : explanation.deliveries) {
        deliveries.emplace_back(json_of(told));
    }
    return {
        {"pull_request",
         explanation.pull_request ? json::value(json_of(*explanation.pull_request))
                                  : json::value(nullptr)},
        {"deliveries", std::move(deliveries)},
        {"now", to_json(explanation.standings)},
        {"checks", to_json(explanation.checks)},
    };
}

int explain(const ExplainOptions& options) {
    const auto path = store_path(options.store);
    const auto store = path ? open_store_at(*path) : nullptr;
    if (!store) {
        return Exit::unusable;
    }
    const auto pr = pr_in(options.subject);
    Explainer explainer(*store, present());
    const auto explanation =
        run(pr ? explainer.pull_request(*pr) : explainer.delivery(options.subject));
    if (!explanation && explanation.error().code == Errc::not_found) {
        complain(fmt::format(
            "no {} {} is known in {}: looked for {}",
            pr ? "pull request" : "delivery",
            inert(options.subject),
            inert(store::shown(*path)),
            pr ? "deliveries about it" : "its X-GitHub-Delivery and its number in the list"
        ));
        return Exit::failure;
    }
    if (!explanation) {
        complain(inert(explanation.error().detail));
        return explanation.error().code == Errc::invalid ? Exit::unusable : Exit::failure;
    }
    if (options.json) {
        print_json(json_of(*explanation));
    } else {
        print_text(*explanation);
    }
    return Exit::ok;
}

} // namespace

void add_explain(CLI::App& app, int& exit_code) {
    auto options = std::make_shared<ExplainOptions>();
    auto* command = app.add_subcommand("explain", "What happened to a pull request or delivery");
    command
        ->add_option(
            "SUBJECT", options->subject, "OWNER/REPO#123, #123, a pull request's URL, or a delivery"
        )
        ->required()
        ->option_text(" ");
    add_store_options(*command, options->store);
    command->add_flag("--json", options->json, "Print one JSON object");
    command->footer(
        R"(In the order of time: the webhook, the allowlist that was in force and the rule that decided for each
downstream, every attempt with what GitHub answered, what superseded, cancelled or repeated it; then
where each downstream stands and what happens next. A delivery is named by its X-GitHub-Delivery or by
its number in `baton deliveries list`.

Examples:
  baton explain --config baton.yml pytorch/pytorch#4711
  baton explain --store baton.db 72d3162e-cc78-11e3-81ab-4c9367dc0958

Exit codes: 0 explained, 1 unknown, 2 unusable input.)"
    );
    command->callback([options, &exit_code] { exit_code = explain(*options); });
}

} // namespace baton::program
