// What another replica tells of GitHub's limits, as the database hands it on: whoever may speak
// there may say anything. Notes are parted by a zero byte.

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/quota.hpp"
#include "baton/store/postgres/quota_talk.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/fuzz.hpp"

namespace {

using namespace baton;
using fuzz::promise;
using store::postgres::QuotaTalk;

constexpr int kReplica = 7;
const TimePoint kNow = from_ms(1'794'000'000'000);

bool same(const domain::QuotaView& a, const domain::QuotaView& b) {
    return a.account == b.account && a.limit == b.limit && a.remaining == b.remaining &&
           a.reset_at == b.reset_at && a.held_until == b.held_until && a.in_flight == b.in_flight;
}

void check_views(const std::vector<domain::QuotaView>& views, std::string_view text) {
    const auto ends = [](char c) { return c == '\n' || c == '\0'; };
    const auto lines = static_cast<std::size_t>(std::ranges::count_if(text, ends)) + 1;
    promise(views.size() <= lines, "a line tells of one account at most");
    std::set<std::string> accounts;
    for (const auto& view : views) {
        promise(accounts.insert(view.account).second, "a replica speaks of an account once");
        promise(
            view.account.empty() || RepoName::parse(view.account + "/r").has_value(),
            "an account is one that GitHub could name"
        );
    }
}

/// What was heard, told on and heard again.
void check_told_on(const std::vector<domain::QuotaView>& views) {
    QuotaTalk here;
    QuotaTalk there;
    here.tell(views);
    const auto notes = here.take();
    promise(!notes.empty(), "who has nothing to say gives a sign");
    promise(here.take().empty(), "a note is given once");
    for (const auto& note : notes) {
        promise(note.size() <= QuotaTalk::kNoteBytesMax, "PostgreSQL takes every note");
        there.receive(kReplica, note);
        there.receive(kReplica, "garbage\n1 2 3\n- - - - 1 \x1b\n");
    }
    const auto heard = there.heard();
    promise(heard.replicas == 1, "one replica spoke");
    promise(
        std::ranges::equal(heard.quotas, views, same), "it is heard as it was told, garbage or not"
    );
}

/// What it means for requests stays within what the relay can count with.
void check_book(const domain::OthersQuotas& others) {
    domain::QuotaBook book;
    book.of("org").began(domain::RequestWeight::changes, kNow);
    book.hear(others, kNow);
    promise(book.in_flight() == 1, "what others have under way is not ours");
    for (const auto& view : book.views(kNow)) {
        constexpr std::chrono::hours kFarthest{24};
        promise(!view.held_until || *view.held_until <= kNow + kFarthest, "no limit is for ever");
        promise(!view.reset_at || *view.reset_at > kNow, "a window that is shown is open");
        promise(!view.remaining || *view.remaining >= 0, "nobody has less than nothing");
        const auto room = book.find(view.account)->room(domain::Level::l1, kNow);
        promise(!view.held_until || room == 0, "nothing leaves while a limit lasts");
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto text = fuzz::text_of(data, size);
    QuotaTalk talk;
    auto rest = text;
    do {
        talk.receive(kReplica, fuzz::take_until(rest, '\0'));
    } while (!rest.empty());
    const auto heard = talk.heard();
    promise(heard.replicas == 1, "whoever speaks is one replica, whatever it says");
    check_views(heard.quotas, text);
    check_told_on(heard.quotas);
    check_book(heard);
    return 0;
}
