#include "baton/store/postgres/quota_talk.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/quota.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::store::postgres {

namespace {

constexpr std::string_view kUnknown = "-";
constexpr std::size_t kNumbers = 5; // before the account, which may be empty

std::string word_of(std::optional<std::int64_t> number) {
    return number ? std::to_string(*number) : std::string(kUnknown);
}

std::string word_of(std::optional<TimePoint> when) {
    return when ? std::to_string(to_ms(*when)) : std::string(kUnknown);
}

/// limit, remaining, reset, held until, under way, account
std::string line_of(const domain::QuotaView& view) {
    return fmt::format(
        "{} {} {} {} {} {}\n",
        word_of(view.limit),
        word_of(view.remaining),
        word_of(view.reset_at),
        word_of(view.held_until),
        view.in_flight,
        view.account
    );
}

/// Takes a line's next word; false when it is no number, nor the sign for none.
bool take_number(std::string_view& line, std::optional<std::int64_t>& number) {
    const auto end = line.find(' ');
    if (end == std::string_view::npos) {
        return false;
    }
    const auto word = line.substr(0, end);
    line.remove_prefix(end + 1);
    if (word == kUnknown) {
        return true;
    }
    std::int64_t value = 0;
    const auto [rest, error] = std::from_chars(word.begin(), word.end(), value);
    number = value;
    return error == std::errc{} && rest == word.end();
}

std::optional<TimePoint> time_of(std::optional<std::int64_t> number) {
    return number ? std::optional(from_ms(*number)) : std::nullopt;
}

/// What is heard is told on and shown: nothing but the App itself and names that GitHub gives.
bool is_account(std::string_view name) {
    return name.empty() || RepoName::parse(fmt::format("{}/r", name)).has_value();
}

std::optional<domain::QuotaView> view_of(std::string_view line) {
    std::array<std::optional<std::int64_t>, kNumbers> numbers;
    for (auto& number : numbers) {
        if (!take_number(line, number)) {
            return std::nullopt;
        }
    }
    if (!is_account(line)) {
        return std::nullopt;
    }
    return domain::QuotaView{
        .account = std::string(line),
        .limit = numbers[0],
        .remaining = numbers[1],
        .reset_at = time_of(numbers[2]),
        .held_until = time_of(numbers[3]),
        .in_flight = static_cast<std::size_t>(std::max<std::int64_t>(numbers[4].value_or(0), 0)),
    };
}

} // namespace

void QuotaTalk::tell(const std::vector<domain::QuotaView>& mine) {
    std::vector<std::string> notes(1);
    for (const auto& view : mine) {
        const auto line = line_of(view);
        if (notes.back().size() + line.size() > kNoteBytesMax) {
            notes.emplace_back();
        }
        notes.back() += line;
    }
    const std::lock_guard lock(mutex_);
    to_send_ = std::move(notes); // what was not sent meanwhile is out of date
}

std::vector<std::string> QuotaTalk::take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(to_send_, {});
}

void QuotaTalk::receive(int replica, std::string_view note, Clock::time_point now) {
    const std::lock_guard lock(mutex_);
    auto& heard = heard_[replica];
    heard.at = now;
    while (!note.empty()) {
        const auto end = std::min(note.find('\n'), note.size());
        auto view = view_of(note.substr(0, end));
        if (view && (heard.quotas.size() < kAccountsMax || heard.quotas.contains(view->account))) {
            auto& kept = heard.quotas[view->account];
            kept = *std::move(view);
        }
        note.remove_prefix(std::min(end + 1, note.size()));
    }
}

domain::OthersQuotas QuotaTalk::heard() {
    const auto now = Clock::now();
    const std::lock_guard lock(mutex_);
    std::erase_if(heard_, [now](const auto& one) { return now - one.second.at > kFresh; });
    domain::OthersQuotas others{.replicas = heard_.size(), .quotas = {}};
    for (const auto& [replica, one] : heard_) {
        for (const auto& [account, view] : one.quotas) {
            others.quotas.push_back(view);
        }
    }
    return others;
}

} // namespace baton::store::postgres
