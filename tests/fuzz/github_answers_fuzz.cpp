// What GitHub, or whoever answers in its place, says in a 200: a letter for what was asked, a line
// for the `Link` header, then the body. What the relay takes of it is within its bounds.

#include "baton/base/forms.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/check.hpp"
#include "baton/domain/retry.hpp"
#include "baton/github/app_client.hpp"
#include "baton/github/paging.hpp"
#include "baton/net/url.hpp"
#include "baton/ports/github.hpp"
#include "baton/ports/github_writing.hpp"
#include "baton/wire/rebuilt_webhook.hpp"
#include "baton/wire/webhook.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "fuzz/fuzz.hpp"
#include "fuzz/played_github.hpp"

namespace {

using namespace baton;
using fuzz::promise;
using github::RestGithub;

const RepoName& repo() {
    static const auto name = RepoName::parse("org/backend").value();
    return name;
}

/// Whether there is a value; if not, the error can be shown.
template <class T> bool holds(const Result<T>& result) {
    if (!result) {
        promise(!result.error().detail.empty(), "an error says why");
        promise(fuzz::is_inert(result.error().detail), "what people are told is inert");
    }
    return result.has_value();
}

/// A webhook that is made of a pull request is one, or is refused.
void check_rebuilt(std::string_view pull_request) {
    const auto body = wire::rebuilt_webhook("opened", pull_request);
    if (!holds(body)) {
        promise(body.error().code == Errc::invalid, "what cannot be rebuilt is invalid");
        return;
    }
    static_cast<void>(holds(wire::parse_stored_event({.event = "pull_request"}, *body)));
}

void check_pull(const ports::PullView& pull) {
    promise(pull.number > PrNumber{}, "pull requests have positive numbers");
    promise(!pull.head.empty(), "and a head");
    promise(to_rfc3339(pull.updated_at).size() == 24, "and a time within the calendar");
    check_rebuilt(pull.json);
}

void check_place(const ports::PullPlace& place) {
    promise(place.number > PrNumber{}, "pull requests have positive numbers");
    promise(is_web_address(place.url), "a link is an address that may be shown");
}

void check_posted(const ports::Posted& posted) {
    const bool accepted = posted.answer.outcome == domain::Outcome::accepted;
    promise(accepted == (posted.id > 0), "what is accepted has its number");
    promise(
        accepted || posted.answer.outcome == domain::Outcome::unknown,
        "what GitHub took may be there, whatever it said"
    );
    promise(fuzz::is_inert(posted.answer.detail), "what people are told is inert");
}

void check_found(const Result<std::optional<std::int64_t>>& found) {
    promise(!holds(found) || !*found || **found > 0, "what is found has its number");
}

void check_hook_log(fuzz::PlayedGithub& played) {
    const auto page = played.ask(&RestGithub::hook_log, std::string());
    if (!holds(page)) {
        return;
    }
    for (const auto& line : page->tries) {
        promise(line.id > 0, "a try has its number");
        promise(!line.delivery.empty(), "and is of a delivery");
        promise(to_rfc3339(line.at).size() == 24, "at a time within the calendar");
    }
    if (page->next.empty()) {
        return;
    }
    static_cast<void>(holds(played.ask(&RestGithub::hook_log, page->next)));
    const auto asked = played.take_asked().back();
    constexpr std::string_view kFirst = "GET /app/hook/deliveries?";
    promise(asked.starts_with(kFirst), "a next page is one of the same log");
    const auto query = std::string_view(asked).substr(kFirst.size());
    promise(net::query_value(query, "cursor") == page->next, "with the cursor it was told");
    promise(std::ranges::count(query, '&') == 1, "and nothing else");
}

void check_reads(fuzz::PlayedGithub& played, char verb) {
    switch (verb) {
    case 'h':
        check_hook_log(played);
        break;
    case 'o':
        if (const auto page = played.ask(&RestGithub::open_pulls, ports::PullsQuery{repo()});
            holds(page)) {
            std::ranges::for_each(page->pulls, check_pull);
        }
        break;
    case 'p':
        if (const auto pull = played.ask(&RestGithub::pull, repo(), PrNumber{7}); holds(pull)) {
            check_pull(*pull);
        }
        check_rebuilt(played.body);
        break;
    case 'f':
        if (const auto file =
                played.ask(&RestGithub::read_file, ports::FileQuery{repo(), "a.yml", "", ""});
            holds(file)) {
            promise(*file && (*file)->text == played.body, "a file is its bytes");
        }
        break;
    case 'r':
        static_cast<void>(holds(
            played.ask(&RestGithub::permission, ports::PermissionQuery{repo(), Login("alice")})
        ));
        break;
    case 'i':
        if (const auto ids = played.ask(&RestGithub::repository_ids, repo()); holds(ids)) {
            promise(ids->repository > 0 && ids->owner > 0, "repositories have positive numbers");
        }
        break;
    case 'c':
        if (const auto head = played.ask(&RestGithub::head_of, repo(), std::string("main"));
            holds(head)) {
            promise(is_hex(head->text()), "a commit is hex digits");
            promise(head->text().size() == 40 || head->text().size() == 64, "all of them");
            promise(played.ask(&RestGithub::has_commit, repo(), *head).value(), "and is there");
        }
        break;
    default:
        break;
    }
}

void check_writes(fuzz::PlayedGithub& played, char verb) {
    switch (verb) {
    case 'k': {
        domain::Check check;
        ports::CheckCall call{
            .repo = repo(), .head = HeadSha("abc"), .id = std::nullopt, .check = check
        };
        check_posted(played.ask(&RestGithub::post_check, call));
        break;
    }
    case 'm':
        check_posted(played.ask(
            &RestGithub::post_comment,
            ports::CommentCall{.repo = repo(), .pr = PrNumber{7}, .id = std::nullopt, .text = "t"}
        ));
        break;
    case 'K':
        check_found(
            played.ask(&RestGithub::find_check, ports::CheckQuery{repo(), HeadSha("abc"), "baton"})
        );
        break;
    case 'M':
        check_found(played.ask(
            &RestGithub::find_comment, ports::CommentQuery{repo(), PrNumber{7}, "<!-- baton"}
        ));
        break;
    case 's':
        static_cast<void>(holds(played.ask(
            &RestGithub::has_issue_comment,
            ports::IssueCommentQuery{repo(), PrNumber{7}, "<!-- baton", from_ms(0)}
        )));
        break;
    case 'b':
        if (const auto blob =
                played.ask(&RestGithub::read_blob, ports::BlobQuery{repo(), "a.yml", "b"});
            holds(blob)) {
            promise(!blob->sha.empty(), "a file has its name in git");
            promise(blob->text.size() < played.body.size(), "and no more than was sent");
        }
        break;
    case 'l':
        if (const auto found = played.ask(&RestGithub::find_pull, ports::PullFrom{repo(), "b"});
            holds(found) && *found) {
            check_place(**found);
        }
        break;
    case 'n':
        if (const auto made = played.ask(
                &RestGithub::propose_pull, ports::PullDraft{repo(), "b", "main", "title", "text"}
            );
            holds(made)) {
            check_place(*made);
        }
        break;
    default:
        break;
    }
}

/// The App's presence on a repository and a token for it, as GitHub tells of them.
void check_credentials(fuzz::PlayedGithub& played, char verb) {
    if (verb != 'I' && verb != 'T') {
        return;
    }
    static std::uint64_t number = 0; // what is known of one repository is not asked again
    auto& answer = verb == 'I' ? played.installation : played.token;
    answer = played.body;
    const auto other = RepoName::parse(fmt::format("org/r{}", ++number)).value();
    const auto said = played.ask(&RestGithub::dispatch, ports::DispatchCall{other, "{}"});
    answer.clear();
    promise(fuzz::is_inert(said.detail), "what people are told is inert");
    promise(
        (said.outcome == domain::Outcome::accepted) ==
            (played.take_asked().back() == fmt::format("POST /repos/{}/dispatches", other.text())),
        "without a token nothing is dispatched"
    );
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static fuzz::PlayedGithub played;
    auto rest = fuzz::text_of(data, size);
    const auto verb = fuzz::take_until(rest, '\n');
    const auto link = fuzz::take_until(rest, '\n');
    promise(
        !github::next_page(link, "page") || link.find("rel=\"next\"") != std::string_view::npos,
        "a next page is called one"
    );
    played.link = fuzz::is_inert(link) ? link : std::string_view{};
    played.body = rest;
    for (const char letter : verb.substr(0, 1)) {
        check_reads(played, letter);
        check_writes(played, letter);
        check_credentials(played, letter);
    }
    const auto asked = played.take_asked();
    promise(asked.size() <= RestGithub::kCommentPagesMax + 3, "no answer leads on for ever");
    for (const auto& one : asked) {
        const bool ours = one.find(" /repos/org/") != std::string::npos ||
                          one.find(" /app/") != std::string::npos;
        promise(ours, "nothing is asked but what the relay asks for");
    }
    return 0;
}
