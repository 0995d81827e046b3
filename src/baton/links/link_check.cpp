#include "baton/links/link_check.hpp"

#include "baton/base/text.hpp"
#include "baton/base/time.hpp"

#include <curl/curl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace baton::links {

namespace {

using Curl = std::unique_ptr<CURL, decltype(&curl_easy_cleanup)>;
using CurlUrl = std::unique_ptr<CURLU, decltype(&curl_url_cleanup)>;

constexpr long kOk = 200;
constexpr long kPartial = 206;
constexpr long kMoved = 300;
constexpr long kRefused = 400;
constexpr std::size_t kUrlBytesMax = 8192;

/// How much of a page is asked for.
enum class Ask : std::uint8_t { head = 1, first_byte, page };

/// One answer: a status, and where it sends us.
struct Hop {
    Millis took{};
    long status{0};
    std::string to;
    std::string trouble;
    std::string page;
};

/// What is kept of a page.
struct Keep {
    std::string text;
    std::size_t most{0};
};

/// Once in a process, before any other call of the library.
void wake_library() {
    static std::once_flag once;
    std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
}

template <class Address> std::span<const std::uint8_t> bytes_of(const Address& address) {
    return {reinterpret_cast<const std::uint8_t*>(&address), sizeof(address)};
}

bool is_public_socket(const curl_sockaddr& socket) {
    if (socket.family == AF_INET) {
        sockaddr_in four{};
        std::memcpy(&four, &socket.addr, sizeof(four));
        return is_public(bytes_of(four.sin_addr));
    }
    if (socket.family == AF_INET6) {
        sockaddr_in6 six{};
        std::memcpy(&six, &socket.addr, std::min<std::size_t>(socket.addrlen, sizeof(six)));
        return is_public(bytes_of(six.sin6_addr));
    }
    return false;
}

/// Asked with the address itself, after every lookup: a name that changes its mind helps nobody.
curl_socket_t open_public(void* options, curlsocktype /*purpose*/, curl_sockaddr* address) {
    const bool anywhere = static_cast<const LinkOptions*>(options)->reaches_this_machine;
    if (!anywhere && !is_public_socket(*address)) {
        return CURL_SOCKET_BAD;
    }
    return ::socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

/// What is not asked for is not taken: a server that ignores the range, or whose page is longer
/// than what is kept, is cut off.
std::size_t take(char* text, std::size_t size, std::size_t count, void* into) {
    auto& keep = *static_cast<Keep*>(into);
    const auto bytes = size * count;
    const auto room = keep.most - keep.text.size();
    keep.text.append(text, std::min(bytes, room));
    return bytes <= room ? bytes : CURL_WRITEFUNC_ERROR;
}

bool has_user(const std::string& url) {
    const CurlUrl parsed(curl_url(), &curl_url_cleanup);
    char* user = nullptr;
    if (curl_url_set(parsed.get(), CURLUPART_URL, url.c_str(), CURLU_NON_SUPPORT_SCHEME) !=
        CURLUE_OK) {
        return true; // nothing that could be opened
    }
    const bool has = curl_url_get(parsed.get(), CURLUPART_USER, &user, 0) == CURLUE_OK;
    curl_free(user);
    return has;
}

Hop ask(const std::string& url, Ask how, Millis left, LinkOptions& options) {
    const Curl curl(curl_easy_init(), &curl_easy_cleanup);
    if (!curl) {
        return {.took = left, .status = 0, .to = {}, .trouble = "no memory", .page = {}};
    }
    Keep keep{.text = {}, .most = how == Ask::page ? options.page_bytes : 0};
    auto* const handle = curl.get();
    const auto wait = static_cast<long>(left.count());
    curl_easy_setopt(handle, CURLOPT_URL, url.c_str());
    curl_easy_setopt(
        handle, CURLOPT_PROTOCOLS_STR, options.reaches_this_machine ? "http,https" : "https"
    );
    curl_easy_setopt(handle, CURLOPT_PROXY, ""); // it would reach what we must not
    curl_easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, &open_public);
    curl_easy_setopt(handle, CURLOPT_OPENSOCKETDATA, &options);
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, &take);
    curl_easy_setopt(handle, CURLOPT_WRITEDATA, &keep);
    curl_easy_setopt(handle, CURLOPT_USERAGENT, "baton-link-check");
    curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L); // this is not the only thread
    curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS, wait);
    curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT_MS, wait);
    if (how == Ask::head) {
        curl_easy_setopt(handle, CURLOPT_NOBODY, 1L);
    } else if (how == Ask::first_byte) {
        curl_easy_setopt(handle, CURLOPT_RANGE, "0-0");
    }
    const auto code = curl_easy_perform(handle);
    Hop hop;
    curl_off_t took_us = 0;
    curl_easy_getinfo(handle, CURLINFO_TOTAL_TIME_T, &took_us);
    hop.took = std::chrono::ceil<Millis>(std::chrono::microseconds(took_us));
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &hop.status);
    char* to = nullptr;
    curl_easy_getinfo(handle, CURLINFO_REDIRECT_URL, &to);
    hop.to = to == nullptr ? "" : to;
    hop.page = std::move(keep.text);
    const bool cut_off = code == CURLE_WRITE_ERROR && hop.status != 0; // we have seen enough
    if (code != CURLE_OK && !cut_off) {
        hop.status = 0;
        hop.trouble = code == CURLE_COULDNT_CONNECT ? "it cannot be reached from outside"
                                                    : curl_easy_strerror(code);
    }
    return hop;
}

bool is_login(std::string_view url) {
    const auto words = lower(url);
    return words.find("/login") != std::string::npos || words.find("/signin") != std::string::npos;
}

LinkState check_one(const std::string& url, LinkOptions& options) {
    LinkState state{.url = url, .open = false, .login = false, .detail = {}, .page = {}};
    const auto first = options.page_bytes > 0 ? Ask::page : Ask::head;
    auto left = options.wait;
    auto at = url;
    auto how = first;
    for (int hops = 0; hops <= options.hops;) {
        if (left <= Millis{}) {
            state.detail = "no answer in time";
            return state;
        }
        if (at.size() > kUrlBytesMax || has_user(at)) {
            state.detail = "no address that anybody could open";
            return state;
        }
        auto hop = ask(at, how, left, options);
        left -= hop.took;
        if (hop.status == kOk || hop.status == kPartial) {
            state.login = is_login(at) && at != url;
            state.open = !state.login;
            state.detail = state.open ? "" : "it leads to a login";
            state.page = state.open ? std::move(hop.page) : "";
            return state;
        }
        if (hop.status >= kMoved && hop.status < kRefused && !hop.to.empty()) {
            at = hop.to;
            how = first;
            ++hops;
            continue;
        }
        if (how == Ask::head && hop.status >= kRefused) {
            how = Ask::first_byte; // some serve GET alone
            continue;
        }
        state.detail = hop.status == 0 ? hop.trouble : fmt::format("status {}", hop.status);
        return state;
    }
    state.detail = fmt::format("more than {} redirects", options.hops);
    return state;
}

} // namespace

std::vector<LinkState> check_links(const std::vector<std::string>& urls, LinkOptions options) {
    wake_library();
    std::vector<LinkState> states(urls.size());
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        for (auto i = next++; i < urls.size(); i = next++) {
            states[i] = check_one(urls[i], options);
        }
    };
    std::vector<std::jthread> hands;
    for (std::size_t i = 0; i < std::min(options.at_once, urls.size()); ++i) {
        hands.emplace_back(work);
    }
    hands.clear(); // joined
    return states;
}

} // namespace baton::links
