#pragma once

#include "baton/async/blocking_pool.hpp"
#include "baton/base/result.hpp"
#include "baton/domain/letter.hpp"
#include "baton/ports/results.hpp"
#include "baton/ports/sink.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace baton::sink {

/// Whether a mail server has to be spoken to encrypted: every one but this machine's own.
bool must_encrypt(const std::string& server);

/// A receiver of notifications by mail, over SMTP. `smtps://` is TLS from the first byte, `smtp://`
/// is STARTTLS, without which nothing is sent; only this machine's own server may do without. The
/// server's certificate is verified. Each try of a letter has the same Message-ID, and no other
/// letter has it. The password is in no answer.
class NotifyMail final : public ports::Sink {
public:
    /// Shorter than other sinks: work of a thread is not cut short when the relay stops.
    static constexpr std::chrono::milliseconds kWait{5'000};

    struct Options {
        std::string name; // what its letters are addressed to
        std::vector<std::string> to;
        std::string from;
        std::string server;   // smtps://mail.example.org:465
        std::string username; // empty: the server asks for none
        std::string password;
        std::string page; // of the HUD, for links
        bool encrypt{true};
        std::chrono::milliseconds wait{kWait};
    };

    explicit NotifyMail(Options options);

    const std::string& name() const override { return options_.name; }

    boost::asio::awaitable<domain::SinkAnswer> deliver(ports::TakenLetter letter) override;

private:
    Options options_;
    async::BlockingPool pool_{1};
};

} // namespace baton::sink
