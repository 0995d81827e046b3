#pragma once

#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/crypto/rsa_key.hpp"
#include "baton/ports/clock.hpp"
#include "baton/sim/api_limits.hpp"
#include "baton/sim/hook_sender.hpp"
#include "baton/sim/report_sender.hpp"
#include "baton/sim/sim_world.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace baton::sim {

/// GitHub on a loopback port: the REST API over the model, the issuer of identities under /_oidc/,
/// the control API under /_sim/, a sender of webhooks, and the downstreams that play a script.
///
/// Faults are played for real: a delay is a delay, a reset breaks the connection, a dropped request
/// is held until the caller has surely given up. Three threads: one answers, one sends webhooks,
/// one reports; the world between them is under a lock that is never held while waiting.
class SimServer {
public:
    struct Options {
        std::string host{"127.0.0.1"};
        std::uint16_t port{0}; // 0: any free one
        GithubModel::Options model;
        LimitRules limits; // none are enforced unless told
        HookTarget webhooks;
        HookSender::Options sender;
        ReportSender::Options reports;
        Millis drop_hold{std::chrono::seconds{20}}; // longer than Baton waits for GitHub
        std::function<void(std::string)> on_surprise{[](const std::string&) {}};
    };

    SimServer(Options options, crypto::RsaPublicKey app_key, ports::Clock& clock);
    SimServer(const SimServer&) = delete;
    SimServer& operator=(const SimServer&) = delete;
    ~SimServer(); // stops

    /// `unavailable` when the address cannot be had.
    Result<void> start();
    void stop();

    std::uint16_t port() const; // the real one, after start
    std::string url() const;    // "http://127.0.0.1:4711": Baton's github.api_url

    /// Looks at the world or changes it from any thread. Webhooks that `work` put into the outbox
    /// are sent, and reports that have become due are made.
    template <class Work> auto with(Work work) {
        const Visit visit(*this);
        return work(visit.world());
    }

private:
    class Impl;

    /// Holds the lock, and wakes the senders when it is over.
    class Visit {
    public:
        explicit Visit(SimServer& server);
        Visit(const Visit&) = delete;
        Visit& operator=(const Visit&) = delete;
        ~Visit();
        SimWorld& world() const;

    private:
        Impl& impl_;
        std::unique_lock<std::mutex> lock_;
    };

    std::unique_ptr<Impl> impl_;
};

} // namespace baton::sim
