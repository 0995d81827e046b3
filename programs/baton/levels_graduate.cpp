// baton levels graduate OWNER/REPO [--days 30] [--json]
//
// Whether a tester may become a publisher, told from its nightlies.

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/graduation.hpp"
#include "baton/domain/ladder_day.hpp"
#include "baton/domain/outage.hpp"
#include "baton/ports/levels.hpp"
#include "baton/ports/store.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <CLI/App.hpp>
#include <CLI/Validators.hpp>
#include <fmt/core.h>

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <ratio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "command.hpp"
#include "downstream.hpp"
#include "levels.hpp"
#include "print.hpp"
#include "store_access.hpp"

namespace baton::program {

namespace {

namespace asio = boost::asio;
namespace json = boost::json;
using domain::BoundedShare;
using domain::Graduation;

constexpr Millis kDay{std::chrono::hours{24}};

struct GraduateOptions {
    StoreChoice store;
    std::string downstream;
    std::string upstream;
    std::string as_of;
    int days{30};
    bool json{false};
};

struct Wish {
    RepoName downstream;
    std::optional<RepoName> upstream;
    TimePoint from{};
    TimePoint as_of{};
};

struct Report {
    Candidate candidate;
    Graduation graduation;
};

/// Which images the nightlies told of.
asio::awaitable<Result<void>> ask_images(ports::Store* store, domain::GraduationFacts* facts) {
    for (const auto& event : facts->events) {
        for (const auto& job : event.jobs) {
            if (event.event_type != "nightly" || job.attempts.empty()) {
                continue;
            }
            ++facts->images_asked;
            BATON_CO_TRY(const auto detail, co_await store->report_detail(job.attempts.back().job));
            const auto digests = domain::image_digests_in(detail.environment);
            if (!digests.empty()) {
                facts->images.push_back(digests.front());
            }
        }
    }
    co_return Result<void>{};
}

asio::awaitable<Result<Report>> look(ports::Store* store, ports::Levels* levels, Wish wish) {
    Report report;
    BATON_CO_TRY(report.candidate, co_await find_candidate(store, wish.downstream, wish.upstream));
    ports::EvidenceQuery query{
        .upstream = report.candidate.list.upstream,
        .window = {.from = wish.from, .until = wish.as_of},
    };
    BATON_CO_TRY(auto evidence, co_await levels->evidence(std::move(query)));
    domain::GraduationFacts facts{.from = wish.from, .as_of = wish.as_of};
    for (auto& event : evidence.events) {
        if (event.downstream == report.candidate.entry.repo) {
            facts.events.push_back(std::move(event));
        }
    }
    facts.required_jobs = report.candidate.entry.required_jobs;
    BATON_CO_TRY(facts.planned, co_await pauses_of(store, report.candidate, wish.from, wish.as_of));
    BATON_CO_CHECK(co_await ask_images(store, &facts));
    report.graduation = domain::graduation_of(facts);
    co_return report;
}

// --- printing

std::string share_text(const BoundedShare& share) {
    const auto value = share.value();
    if (!value) {
        return "-";
    }
    return fmt::format(
        "{:.1f} % ({} of {}, 95 % bounds {:.1f} to {:.1f} %)",
        *value * 100,
        share.k,
        share.n,
        *share.lower() * 100,
        *share.upper() * 100
    );
}

std::string times_text(const std::vector<Millis>& sorted) {
    const auto minutes = [&sorted](double p) {
        const auto value = domain::quantile(sorted, p, domain::Quantiles::nearest_rank);
        return std::chrono::duration<double, std::ratio<60>>(value.value_or(Millis{})).count();
    };
    return sorted.empty() ? "-"
                          : fmt::format("{:.1f} min, P95 {:.1f} min", minutes(0.5), minutes(0.95));
}

std::string_view word_of(const std::optional<bool>& met) {
    return !met ? "too little data" : *met ? "met" : "missed";
}

void print_figures(const Graduation& all) {
    fmt::print("nightlies       {}, {} of them never started\n", all.nightlies, all.missed);
    fmt::print("pass            {}\n", share_text(all.passed));
    fmt::print("pass, tests     {}\n", share_text(all.passed_tests));
    fmt::print("machines fail   {}\n", share_text(all.machines));
    fmt::print("flaky           {}\n", share_text(all.flaky));
    fmt::print("queue, P50      {}\n", times_text(all.queue));
    fmt::print("run time, P50   {}\n", times_text(all.ran));
    fmt::print("images told     {}\n", share_text(all.images_told));
    for (const auto& image : all.images) {
        fmt::print("                {}\n", image);
    }
    for (const auto& week : all.weeks) {
        fmt::print(
            "week of {}  {}\n", to_rfc3339(week.from).substr(0, 10), share_text(week.passed)
        );
    }
    for (const auto& outage : all.outages) {
        fmt::print(
            "outage          {} to {}, {:.1f} h, {} bad\n",
            to_rfc3339(outage.start),
            outage.end ? to_rfc3339(*outage.end) : "now",
            std::chrono::duration<double, std::ratio<3600>>(outage.length).count(),
            outage.bad
        );
    }
}

void print_text(const Report& report, const Wish& wish) {
    fmt::print(
        "{} for {}, {} until {}\n\n",
        report.candidate.entry.repo.text(),
        report.candidate.list.upstream.text(),
        to_rfc3339(wish.from).substr(0, 10),
        to_rfc3339(wish.as_of).substr(0, 10)
    );
    print_figures(report.graduation);
    Table table({"CRITERION", "ASKS FOR", "MEASURED", "VERDICT"});
    for (const auto& criterion : report.graduation.criteria) {
        table.add(
            {criterion.id, criterion.text, criterion.measured, std::string(word_of(criterion.met))}
        );
    }
    fmt::print("\n{}\n", table.text());
    const auto& ready = report.graduation.ready;
    const bool publisher = report.candidate.entry.role == domain::Role::publisher;
    fmt::print(
        "{}{}\n",
        !ready   ? "too few nightlies to tell"
        : *ready ? "ready to be a publisher"
                 : "not ready to be a publisher",
        publisher ? "; the list calls it one" : "; the list decides (role: publisher)"
    );
}

json::value json_of(const BoundedShare& share) {
    const auto or_null = [](const std::optional<double>& value) {
        return value ? json::value(*value) : json::value(nullptr);
    };
    return json::object{
        {"value", or_null(share.value())},
        {"k", share.k},
        {"n", share.n},
        {"lower", or_null(share.lower())},
        {"upper", or_null(share.upper())},
    };
}

json::value json_of(const std::vector<Millis>& sorted) {
    const auto at = [&sorted](double p) {
        const auto value = domain::quantile(sorted, p, domain::Quantiles::nearest_rank);
        return value ? json::value(value->count()) : json::value(nullptr);
    };
    return json::object{{"n", sorted.size()}, {"p50_ms", at(0.5)}, {"p95_ms", at(0.95)}};
}

json::value json_of(const std::optional<bool>& flag) {
    return flag ? json::value(*flag) : json::value(nullptr);
}

json::array criteria_json(const Graduation& all) {
    json::array criteria;
    for (const auto& criterion : all.criteria) {
        criteria.emplace_back(json::object{
            {"id", criterion.id},
            {"text", criterion.text},
            {"measured", criterion.measured},
            {"met", json_of(criterion.met)},
        });
    }
    return criteria;
}

void print_as_json(const Report& report, const Wish& wish) {
    const auto& all = report.graduation;
    json::array outages;
    for (const auto& outage : all.outages) {
        outages.emplace_back(json::object{
            {"start", to_rfc3339(outage.start)},
            {"end", outage.end ? json::value(to_rfc3339(*outage.end)) : json::value(nullptr)},
            {"bad", outage.bad},
            {"length_ms", outage.length.count()},
        });
    }
    json::array weeks;
    for (const auto& week : all.weeks) {
        weeks.emplace_back(
            json::object{{"from", to_rfc3339(week.from)}, {"passed", json_of(week.passed)}}
        );
    }
    json::array images;
    for (const auto& image : all.images) {
        images.emplace_back(json_text(image));
    }
    print_json(json::object{
        {"upstream", json_text(report.candidate.list.upstream.text())},
        {"downstream", json_text(report.candidate.entry.repo.text())},
        {"from", to_rfc3339(wish.from)},
        {"as_of", to_rfc3339(wish.as_of)},
        {"role", report.candidate.entry.role == domain::Role::publisher ? "publisher" : "tester"},
        {"ready", json_of(all.ready)},
        {"criteria", criteria_json(all)},
        {"nightlies", all.nightlies},
        {"missed", all.missed},
        {"passed", json_of(all.passed)},
        {"passed_tests", json_of(all.passed_tests)},
        {"machines", json_of(all.machines)},
        {"flaky", json_of(all.flaky)},
        {"queue", json_of(all.queue)},
        {"ran", json_of(all.ran)},
        {"weeks", std::move(weeks)},
        {"outages", std::move(outages)},
        {"images", std::move(images)},
        {"images_told", json_of(all.images_told)},
    });
}

std::optional<Wish> wish_of(const GraduateOptions& options) {
    Wish wish;
    auto downstream = repo_or_complain("the downstream", options.downstream);
    if (!downstream) {
        return std::nullopt;
    }
    wish.downstream = *std::move(downstream);
    if (!options.upstream.empty()) {
        wish.upstream = repo_or_complain("--upstream", options.upstream);
        if (!wish.upstream) {
            return std::nullopt;
        }
    }
    wish.as_of = std::chrono::floor<std::chrono::days>(present());
    if (!options.as_of.empty()) {
        const auto as_of = day_or_complain(options.as_of);
        if (!as_of) {
            return std::nullopt;
        }
        wish.as_of = *as_of;
    }
    wish.from = wish.as_of - options.days * kDay;
    return wish;
}

int graduate(const GraduateOptions& options) {
    const auto wish = wish_of(options);
    if (!wish) {
        return Exit::unusable;
    }
    const auto opened = open_ladder(options.store);
    if (!opened) {
        return Exit::unusable;
    }
    const auto report = run(look(opened->store.get(), opened->levels, *wish));
    if (!report) {
        complain(inert(report.error().detail));
        return report.error().code == Errc::not_found ? Exit::failure : Exit::unusable;
    }
    if (options.json) {
        print_as_json(*report, *wish);
    } else {
        print_text(*report, *wish);
    }
    return report->graduation.ready.value_or(false) ? Exit::ok : Exit::failure;
}

} // namespace

void add_levels_graduate(CLI::App& group, int& exit_code) {
    constexpr int kDaysMost = 90; // how long a store can be searched at once
    auto options = std::make_shared<GraduateOptions>();
    auto* command = group.add_subcommand("graduate", "Say whether a tester may become a publisher");
    add_downstream_name(*command, options->downstream);
    add_store_options(*command, options->store);
    command->add_option("--days", options->days, "How many days to look at; default: 30")
        ->check(CLI::Range(7, kDaysMost))
        ->option_text("N");
    command->add_option("--as-of", options->as_of, "Until when; default: the last midnight, UTC")
        ->option_text("DATE");
    command->add_option("--upstream", options->upstream, "Of which upstream, if several list it")
        ->option_text("OWNER/REPO");
    command->add_flag("--json", options->json, "Print one JSON object");
    command->footer(
        R"(Looks at its nightlies alone: how many pass, of all causes and of tests only, what the machines cost,
missed ones, flakes, queue and run times, outages (3 bad nightlies, or 24 hours without a good one) and
the image digests that were told. Planned pauses and suspensions are cut out. The targets are Baton's own. A report for
people: the role stands in the allowlist, and nothing changes by itself.

Example:
  baton levels graduate acme/backend --config baton.yml

Exit codes: 0 ready, 1 not ready or too few nightlies, 2 the store or the name cannot be used.)"
    );
    command->callback([options, &exit_code] { exit_code = graduate(*options); });
}

} // namespace baton::program
