// What happens, for feed readers.

#include "baton/api/atom.hpp"
#include "baton/api/hud_parts.hpp"
#include "baton/api/hud_query.hpp"
#include "baton/api/problem.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/crypto/sha256.hpp"
#include "baton/hud/overview.hpp"
#include "baton/hud/pull_page.hpp"
#include "baton/hud/window.hpp"
#include "baton/net/http.hpp"
#include "baton/net/server.hpp"
#include "baton/ports/operators.hpp"

#include <boost/asio/awaitable.hpp>

#include <fmt/format.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::api {

namespace asio = boost::asio;

namespace {

constexpr std::size_t kEntriesMax = 50;

using Told = asio::awaitable<Result<Feed>>;

std::string title_of(const ports::DownstreamEvent& event) {
    const auto& name = event.downstream.text();
    if (event.kind == "suspended") {
        return fmt::format("{} is suspended: it gets nothing", name);
    }
    if (event.kind == "resumed") {
        return fmt::format("{} gets events again", name);
    }
    if (event.kind == "gate_suspended") {
        return fmt::format("{} does not count in the gate", name);
    }
    if (event.kind == "gate_resumed") {
        return fmt::format("{} counts in the gate again", name);
    }
    return fmt::format(
        "{} {}", name, event.kind == "silent" ? "never started a dispatch" : "failed"
    );
}

/// The page that shows it best.
std::string page_of(const ports::DownstreamEvent& event) {
    if (event.job) {
        return fmt::format("/job/{}", static_cast<std::int64_t>(*event.job));
    }
    if (event.pr && !event.upstream.empty()) {
        return fmt::format(
            "/pr/{}/{}", event.upstream.text(), static_cast<std::int64_t>(*event.pr)
        );
    }
    return hud::page_of(event.downstream);
}

Told downstream_feed(Around around, net::Request request) {
    const HudQuery query(request);
    BATON_CO_TRY(const auto repo, query.captured_repo(0));
    BATON_CO_TRY(const auto pairing, around->desk.listed(repo, std::nullopt));
    BATON_CO_TRY(
        const auto events,
        co_await around->operators.downstream_events(pairing.downstream, kEntriesMax)
    );
    const auto shown = around->desk.shown();
    const auto& url = around->public_url;
    Feed feed{
        .id = tag_uri(url, "feed/" + pairing.downstream.key()),
        .title = pairing.downstream.text(),
        .link = url + hud::page_of(pairing.downstream),
        .self = fmt::format("{}/feeds/{}.atom", url, pairing.downstream.text()),
    };
    for (const auto& event : events) {
        const bool seen = event.upstream.empty() ? shown.everywhere(event.downstream)
                                                 : shown.has(event.upstream, event.downstream);
        if (!seen) {
            continue;
        }
        const auto where =
            event.pr
                ? fmt::format("{}#{} ", event.upstream.text(), static_cast<std::int64_t>(*event.pr))
                : std::string();
        feed.entries.push_back({
            .id = tag_uri(url, fmt::format("event/{}", event.id)),
            .title = title_of(event),
            .text = where + event.detail,
            .link = url + page_of(event),
            .updated = event.at,
        });
    }
    co_return feed;
}

/// The story has no numbers: what it says and when names it.
std::string id_of(const hud::Happening& happening, std::string_view page) {
    constexpr std::size_t kLetters = 32;
    const auto all = fmt::format(
        "{}\n{}\n{}\n{}\n{}\n{}",
        page,
        to_ms(happening.at),
        happening.kind,
        happening.delivery,
        happening.downstream,
        happening.text
    );
    return crypto::sha256_hex(all).substr(0, kLetters);
}

Told pull_feed(Around around, net::Request request) {
    const HudQuery query(request);
    BATON_CO_TRY(const auto upstream, query.captured_repo(0));
    BATON_CO_TRY(const auto number, query.captured_number(2));
    HeadSha newest;
    const auto pr = static_cast<PrNumber>(number);
    BATON_CO_TRY(const auto page, co_await around->desk.pull(upstream, pr, std::move(newest)));
    const auto path = fmt::format("{}/{}", upstream.text(), number);
    const auto& url = around->public_url;
    Feed feed{
        .id = tag_uri(url, "feed/pr/" + path),
        .title = fmt::format("{}#{} {}", upstream.text(), number, page.pull.title),
        .link = fmt::format("{}/pr/{}", url, path),
        .self = fmt::format("{}/feeds/pr/{}.atom", url, path),
    };
    for (auto one = page.timeline.rbegin();
         one != page.timeline.rend() && feed.entries.size() < kEntriesMax;
         ++one) {
        feed.entries.push_back({
            .id = tag_uri(url, "story/" + id_of(*one, path)),
            .title = one->text,
            .text = fmt::format("{} {}", one->kind, one->downstream),
            .link = feed.link,
            .updated = one->at,
        });
    }
    co_return feed;
}

/// An entry is news once for as long as it lasts: without a time of its own, of the day.
Told attention_feed(Around around, net::Request /*request*/) {
    const auto now = around->clock.now();
    const auto& url = around->public_url;
    BATON_CO_TRY(
        const auto page, co_await around->desk.overview(*hud::window_named("7d", now), std::nullopt)
    );
    Feed feed{
        .id = tag_uri(url, "feed/attention"),
        .title = "What needs attention",
        .link = url + "/",
        .self = url + "/feeds/attention.atom",
    };
    const TimePoint today = std::chrono::floor<std::chrono::days>(now);
    for (const auto& one : page.attention) {
        if (feed.entries.size() == kEntriesMax) {
            break;
        }
        feed.entries.push_back({
            .id = tag_uri(url, "attention/" + one.key),
            .title = one.text,
            .text = fmt::format(
                "{}{}",
                hud::name_of(one.severity),
                one.acknowledged ? ", looked after by " + one.acknowledged->actor : ""
            ),
            .link = url + one.page,
            .updated = one.since.value_or(today),
        });
    }
    co_return feed;
}

asio::awaitable<net::Response>
send(Around around, net::Request request, Told (*told)(Around, net::Request)) {
    const auto head = request.head;
    if (auto known = HudQuery(request).only({}); !known) {
        co_return problem_of(known.error());
    }
    const auto feed = co_await told(around, std::move(request));
    if (!feed) {
        co_return problem_of(feed.error());
    }
    co_return tagged(
        head, "application/atom+xml; charset=utf-8", atom_of(*feed), "public, max-age=60"
    );
}

net::Route route_of(const Around& around, std::string path, Told (*told)(Around, net::Request)) {
    return {
        .method = "GET",
        .path = std::move(path),
        .handler = [around,
                    told](net::Request request) { return send(around, std::move(request), told); },
    };
}

} // namespace

std::vector<net::Route> feed_routes(const Around& around) {
    return {
        route_of(around, "/feeds/attention.atom", attention_feed),
        route_of(around, "/feeds/{}/{}.atom", downstream_feed),
        route_of(around, "/feeds/pr/{}/{}/{}.atom", pull_feed),
    };
}

} // namespace baton::api
