#pragma once

#include "baton/base/result.hpp"
#include "baton/crypto/hmac.hpp"
#include "baton/domain/letter.hpp"
#include "baton/net/client.hpp"
#include "baton/ports/results.hpp"
#include "baton/ports/sink.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <memory>
#include <string>

namespace baton::sink {

/// A receiver of notifications: each is a `POST` of JSON to its URL with `X-Baton-Signature-256:
/// sha256=<HMAC>` over the body and `X-Baton-Delivery`, which is the same for each try of one
/// letter and for no other. The secret itself never travels and is never told in an answer.
class NotifyWebhook final : public ports::Sink {
public:
    struct Options {
        std::string name;
        std::string url;
        std::string secret; // not empty
        std::chrono::milliseconds wait{ports::kSinkWait};
    };

    /// What the letters to a receiver of that name are addressed to.
    static std::string sink_name(const std::string& receiver) { return "notify:" + receiver; }

    /// `invalid` when the URL is none that Baton may talk to. Runs on `executor`, one thread.
    static Result<std::unique_ptr<NotifyWebhook>>
    make(boost::asio::any_io_executor executor, Options options);

    const std::string& name() const override { return name_; }

    boost::asio::awaitable<domain::SinkAnswer> deliver(ports::TakenLetter letter) override;

private:
    NotifyWebhook(std::unique_ptr<net::Client> client, std::string target, Options options);

    std::unique_ptr<net::Client> client_;
    std::string target_;
    Options options_;
    crypto::HmacKey key_;
    std::string name_;
};

} // namespace baton::sink
