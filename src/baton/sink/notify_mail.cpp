#include "baton/sink/notify_mail.hpp"

#include "baton/base/text.hpp"
#include "baton/domain/letter.hpp"
#include "baton/net/url.hpp"
#include "baton/ports/results.hpp"
#include "baton/wire/mail.hpp"
#include "baton/wire/notice.hpp"

#include <boost/asio/awaitable.hpp>

#include <curl/curl.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace baton::sink {

namespace asio = boost::asio;

namespace {

using Curl = std::unique_ptr<CURL, decltype(&curl_easy_cleanup)>;
using Lines = std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)>;

constexpr int kTaken = 200;    // as if a webhook had taken it
constexpr int kNever = 422;    // and as if it never would
constexpr long kLasting = 500; // SMTP: from here on a "no" stays a "no"

struct Upload {
    std::string_view left;
};

std::size_t give(char* into, std::size_t size, std::size_t count, void* from) {
    auto& left = static_cast<Upload*>(from)->left;
    const auto bytes = std::min(size * count, left.size());
    std::memcpy(into, left.data(), bytes);
    left.remove_prefix(bytes);
    return bytes;
}

std::size_t hear_nothing(char* /*text*/, std::size_t size, std::size_t count, void* /*into*/) {
    return size * count;
}

/// Once in a process, before any other call of the library.
void wake_library() {
    static std::once_flag once;
    std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
}

/// What came of it; libcurl knows the server's last number, and says the rest in `words`.
domain::SinkAnswer answer_of(CURLcode code, long last, const std::string& who, const char* words) {
    if (code == CURLE_OK) {
        return {.status = kTaken, .detail = "", .retry_after = {}};
    }
    const bool lasting = last >= kLasting && code != CURLE_LOGIN_DENIED;
    const auto* const said = *words != '\0' ? words : curl_easy_strerror(code);
    return {
        .status = lasting ? kNever : 0,
        .detail = fmt::format("{}: {}", who, inert(said)),
        .retry_after = {},
    };
}

domain::SinkAnswer send(const NotifyMail::Options& options, const std::string& message) {
    const Curl curl(curl_easy_init(), &curl_easy_cleanup);
    if (!curl) {
        return {.status = 0, .detail = "no memory for a mail", .retry_after = {}};
    }
    auto* const handle = curl.get();
    Lines to(nullptr, &curl_slist_free_all);
    for (const auto& address : options.to) {
        auto* const longer = curl_slist_append(to.get(), fmt::format("<{}>", address).c_str());
        static_cast<void>(to.release());
        to.reset(longer);
    }
    std::array<char, CURL_ERROR_SIZE> words{};
    Upload upload{.left = message};
    const auto from = fmt::format("<{}>", options.from);
    const auto wait = static_cast<long>(options.wait.count());
    curl_easy_setopt(handle, CURLOPT_URL, options.server.c_str());
    curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "smtp,smtps");
    curl_easy_setopt(handle, CURLOPT_PROXY, ""); // what the environment names is not the operator's
    curl_easy_setopt(
        handle,
        CURLOPT_USE_SSL,
        static_cast<long>(options.encrypt ? CURLUSESSL_ALL : CURLUSESSL_TRY)
    );
    curl_easy_setopt(handle, CURLOPT_SSL_VERIFYPEER, 1L);
    curl_easy_setopt(handle, CURLOPT_SSL_VERIFYHOST, 2L);
    if (!options.username.empty()) {
        curl_easy_setopt(handle, CURLOPT_USERNAME, options.username.c_str());
        curl_easy_setopt(handle, CURLOPT_PASSWORD, options.password.c_str());
    }
    curl_easy_setopt(handle, CURLOPT_MAIL_FROM, from.c_str());
    curl_easy_setopt(handle, CURLOPT_MAIL_RCPT, to.get());
    curl_easy_setopt(handle, CURLOPT_UPLOAD, 1L);
    curl_easy_setopt(handle, CURLOPT_READFUNCTION, &give);
    curl_easy_setopt(handle, CURLOPT_READDATA, &upload);
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, &hear_nothing);
    curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L); // this is not the only thread
    curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS, wait);
    curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT_MS, wait);
    curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, words.data());
    const auto code = curl_easy_perform(handle);
    long last = 0;
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &last);
    return answer_of(code, last, options.name, words.data());
}

} // namespace

bool must_encrypt(const std::string& server) {
    const auto host = wire::mail_host(server);
    return !net::is_loopback(host);
}

NotifyMail::NotifyMail(Options options)
    : options_(std::move(options)) {
    wake_library();
}

asio::awaitable<domain::SinkAnswer> NotifyMail::deliver(ports::TakenLetter letter) {
    const auto notice = wire::read_notice(letter.body);
    if (!notice) {
        co_return domain::SinkAnswer{
            .status = kNever, .detail = notice.error().detail, .retry_after = {}
        };
    }
    auto message = wire::mail_of(
        *notice,
        {.from = options_.from,
         .to = options_.to,
         .letter = letter.id,
         .at = letter.created_at,
         .page = options_.page}
    );
    auto work = [this, message = std::move(message)] { return send(options_, message); };
    co_return co_await pool_.run(std::move(work));
}

} // namespace baton::sink
