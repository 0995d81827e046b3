#pragma once

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address_v4.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <boost/system/error_code.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace baton::test {

/// A mail server on a loopback port that speaks as much SMTP as a sender needs, without TLS, and
/// keeps what it is sent. One connection at a time, on a thread of its own.
class SmtpReceiver {
public:
    struct Taken {
        std::string from;
        std::vector<std::string> to;
        std::string message; // as it stood between DATA and the dot
    };

    SmtpReceiver()
        : acceptor_(loop_, {boost::asio::ip::address_v4::loopback(), 0})
        , thread_([this] { serve(); }) {}

    SmtpReceiver(const SmtpReceiver&) = delete;
    SmtpReceiver& operator=(const SmtpReceiver&) = delete;

    ~SmtpReceiver() {
        {
            const std::lock_guard lock(mutex_);
            stopping_ = true;
        }
        boost::system::error_code ignored;
        boost::asio::ip::tcp::socket waker(loop_); // an accept that waits is ended by a visitor
        waker.connect(acceptor_.local_endpoint(), ignored);
        waker.close(ignored);
        thread_.join();
    }

    std::uint16_t port() const { return acceptor_.local_endpoint().port(); }

    std::string url(const std::string& scheme = "smtp") const {
        return fmt::format("{}://127.0.0.1:{}", scheme, port());
    }

    /// What recipients are answered from now on.
    void say(std::string to_recipient) {
        const std::lock_guard lock(mutex_);
        to_recipient_ = std::move(to_recipient);
    }

    std::vector<Taken> taken() const {
        const std::lock_guard lock(mutex_);
        return taken_;
    }

private:
    using Socket = boost::asio::ip::tcp::socket;

    void serve() {
        for (;;) {
            boost::system::error_code broken;
            Socket socket(loop_);
            acceptor_.accept(socket, broken);
            {
                const std::lock_guard lock(mutex_);
                if (stopping_) {
                    return;
                }
            }
            if (!broken) {
                speak(socket);
            }
        }
    }

    static bool answer(Socket& socket, const std::string& text) {
        boost::system::error_code broken;
        boost::asio::write(socket, boost::asio::buffer(text + "\r\n"), broken);
        return !broken;
    }

    void speak(Socket& socket) {
        std::string heard;
        Taken mail;
        bool on = answer(socket, "220 loopback");
        while (on) {
            const auto line = line_of(socket, heard, "\r\n");
            if (line.starts_with("EHLO")) {
                on = answer(socket, "250 loopback");
            } else if (line.starts_with("MAIL FROM:")) {
                mail = {.from = line.substr(10), .to = {}, .message = {}};
                on = answer(socket, "250 ok");
            } else if (line.starts_with("RCPT TO:")) {
                mail.to.push_back(line.substr(8));
                const std::lock_guard lock(mutex_);
                on = answer(socket, to_recipient_);
            } else if (line == "DATA") {
                on = answer(socket, "354 go on");
                mail.message = line_of(socket, heard, "\r\n.\r\n");
                const std::lock_guard lock(mutex_);
                taken_.push_back(mail);
                on = on && answer(socket, "250 taken");
            } else if (line == "QUIT") {
                answer(socket, "221 bye");
                on = false;
            } else {
                on = !line.empty() && answer(socket, "502 not here");
            }
        }
    }

    /// Up to `end`, without it; empty: the other side is gone.
    static std::string line_of(Socket& socket, std::string& heard, const std::string& end) {
        boost::system::error_code broken;
        const auto size =
            boost::asio::read_until(socket, boost::asio::dynamic_buffer(heard), end, broken);
        if (broken) {
            return {};
        }
        auto line = heard.substr(0, size - end.size());
        heard.erase(0, size);
        return line;
    }

    boost::asio::io_context loop_;
    boost::asio::ip::tcp::acceptor acceptor_;
    mutable std::mutex mutex_;
    bool stopping_{false};
    std::string to_recipient_{"250 ok"};
    std::vector<Taken> taken_;
    std::thread thread_;
};

} // namespace baton::test
