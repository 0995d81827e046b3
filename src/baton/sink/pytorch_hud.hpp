#pragma once

#include "baton/base/result.hpp"
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

/// PyTorch's HUD: each result is a `POST <url>/crcr/results`. Its key is never told in an answer.
class PytorchHud final : public ports::Sink {
public:
    static constexpr const char* kName = "pytorch-hud";

    struct Options {
        std::string url; // https://hud.pytorch.org/api
        std::string key;
        std::chrono::milliseconds wait{ports::kSinkWait};
    };

    /// `invalid` when the URL is none that Baton may talk to. Runs on `executor`, one thread.
    static Result<std::unique_ptr<PytorchHud>>
    make(boost::asio::any_io_executor executor, Options options);

    const std::string& name() const override { return name_; }

    boost::asio::awaitable<domain::SinkAnswer> deliver(ports::TakenLetter letter) override;

private:
    PytorchHud(std::unique_ptr<net::Client> client, Options options);

    std::unique_ptr<net::Client> client_;
    Options options_;
    std::string name_{kName};
};

} // namespace baton::sink
