#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

namespace baton::program {

/// Hears what `serve` is told, from its first moment to its last, on a thread of its own: whoever
/// the others wait for (a database that fell silent, a disk that hangs, a name that is not
/// resolved), SIGTERM and SIGINT end the process while it still keeps its word. Nothing is lost by
/// that: what was answered is committed, and what was under way is found again as after a crash.
class ServeSignals {
public:
    enum class Word : std::uint8_t { stop = 1, reload };

    ServeSignals();
    ServeSignals(const ServeSignals&) = delete;
    ServeSignals& operator=(const ServeSignals&) = delete;
    ~ServeSignals();

    /// Until now a stop ended the process at once, for it had done nothing; from here on it drains.
    void begin_work();

    /// Waits for what is said next. `stop` stays said.
    Word next();

    bool is_asked_to_stop();

    /// The process ends by itself now; should it hang, it is gone in time with this code.
    void end_in_time(int exit_code);

private:
    void hear();
    void obey_stop();
    void set_bell(int exit_code);

    std::mutex mutex_;
    std::condition_variable said_;
    bool works_{false};  // guarded, as are the next two
    bool stop_{false};   // SIGTERM or SIGINT came
    bool reload_{false}; // SIGHUP came

    boost::asio::io_context loop_;
    boost::asio::signal_set signals_;
    boost::asio::steady_timer bell_; // of the thread, as is the next
    bool bell_is_set_{false};
    std::thread thread_; // last: starts when everything above is there
};

} // namespace baton::program
