#include "e2e/chaos/visitors.hpp"

#include "baton/base/text.hpp"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "e2e/replicas/house.hpp"
#include "e2e/stage.hpp"
#include "support/raw_socket.hpp"

namespace baton::test {

using namespace std::chrono_literals;

namespace {

constexpr std::array kPages{
    "/api/v1/overview",
    "/api/v1/pulls",
    "/api/v1/deliveries",
    "/api/v1/downstreams/two/pass",
    "/api/v1/dead",
    "/api/v1/status",
    "/healthz",
};
constexpr auto kBetweenPages = 50ms;
constexpr auto kLook = 200ms; // how soon a listener notices that it shall end

} // namespace

Visitors::Visitors(House& house)
    : house_(house)
    , heard_(house.size()) {
    threads_.emplace_back([this] { load_pages(); });
    for (std::size_t i = 0; i < house.size(); ++i) {
        threads_.emplace_back([this, i] { listen_at(i); });
    }
}

Visitors::~Visitors() {
    stop();
}

Visitors::Told Visitors::stop() {
    stopping_ = true;
    for (auto& thread : threads_) {
        if (thread.joinable()) {
            thread.join();
        }
    }
    const std::lock_guard lock(mutex_);
    return told_;
}

void Visitors::load_pages() {
    for (std::size_t turn = 0; !stopping_; ++turn) {
        const auto* const page = kPages.at(turn % kPages.size());
        const int status = Stage::get(page, house_.port(turn % house_.size()), nullptr);
        {
            const std::lock_guard lock(mutex_);
            ++told_.answers[status];
        }
        let_pass(kBetweenPages);
    }
}

void Visitors::listen_at(std::size_t which) {
    while (!stopping_) {
        try {
            listen_once(which);
        } catch (const std::exception&) { // nobody is there
        }
        let_pass(kLook);
    }
}

void Visitors::listen_once(std::size_t which) {
    auto socket = RawSocket::connected_to(house_.port(which));
    const auto last = heard_[which].load();
    const auto from = last == 0 ? std::string() : fmt::format("Last-Event-ID: {}\r\n", last);
    socket.send(fmt::format("GET /api/v1/stream HTTP/1.1\r\nHost: baton\r\n{}\r\n", from));
    const auto head = socket.receive_until("\r\n\r\n");
    {
        const std::lock_guard lock(mutex_);
        ++told_.listening[head.size() > 12 ? std::stoi(head.substr(9, 3)) : 0];
    }
    std::string text;
    while (!stopping_) {
        if (!socket.hears_within(kLook)) {
            continue;
        }
        const auto piece = socket.receive();
        if (piece.empty()) {
            return;
        }
        text += piece;
        for (auto end = text.find("\n\n"); end != std::string::npos; end = text.find("\n\n")) {
            hear(which, text.substr(0, end));
            text.erase(0, end + 2);
        }
    }
}

/// Ids only grow, whichever life of the replica tells them; after a resync all is loaded anew.
void Visitors::hear(std::size_t which, const std::string& event) {
    constexpr std::string_view kName = "id: ";
    const auto from = event.find(kName);
    const auto text = from == std::string::npos ? "" : event.substr(from + kName.size());
    const auto id = whole_number(text.substr(0, text.find('\n')));
    if (!id) {
        return;
    }
    const std::lock_guard lock(mutex_);
    ++told_.events;
    if (*id <= heard_[which] && event.find("event: resync") == std::string::npos) {
        told_.gaps.push_back(fmt::format(
            "the stream of replica {} told {} after {}", which, *id, heard_[which].load()
        ));
    }
    heard_[which] = *id;
}

} // namespace baton::test
