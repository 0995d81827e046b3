#include "baton/app/run_program.hpp"

#include "baton/base/result.hpp"
#include "baton/base/time.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

namespace baton::app {

namespace {

constexpr std::size_t kOutputBytesMax = 65'536;

using SteadyTime = std::chrono::steady_clock::time_point;

/// A child whose standard output is read here; killed and reaped when this dies.
class Child {
public:
    Child() = default;
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    ~Child() {
        if (output_ >= 0) {
            ::close(output_);
        }
        if (pid_ > 0) {
            ::kill(-pid_, SIGKILL); // and whatever it started
            static_cast<void>(reap());
        }
    }

    /// 0, or the system's number for why not.
    int start(const std::vector<std::string>& words) {
        std::array<int, 2> ends{-1, -1};
        if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
            return errno;
        }
        output_ = ends[0];
        std::vector<char*> arguments;
        for (const auto& word : words) {
            arguments.push_back(const_cast<char*>(word.c_str())); // posix_spawn does not write
        }
        arguments.push_back(nullptr);
        posix_spawn_file_actions_t actions{};
        ::posix_spawn_file_actions_init(&actions);
        ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
        posix_spawnattr_t attributes{};
        ::posix_spawnattr_init(&attributes);
        ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
        const int failed =
            ::posix_spawnp(&pid_, arguments[0], &actions, &attributes, arguments.data(), environ);
        ::posix_spawnattr_destroy(&attributes);
        ::posix_spawn_file_actions_destroy(&actions);
        ::close(ends[1]);
        if (failed != 0) {
            pid_ = -1;
        }
        return failed;
    }

    /// Everything until the output ends; `timed_out` at `until`.
    Result<std::string> read_until(SteadyTime until) const {
        std::string all;
        std::array<char, 4096> piece{};
        while (all.size() <= kOutputBytesMax) {
            pollfd waiting{.fd = output_, .events = POLLIN, .revents = 0};
            if (::poll(&waiting, 1, millis_to(until)) <= 0) {
                return fail(Errc::timed_out, "no end in time");
            }
            const auto got = ::read(output_, piece.data(), piece.size());
            if (got <= 0) {
                return all;
            }
            all.append(piece.data(), static_cast<std::size_t>(got));
        }
        return fail(Errc::invalid, "more output than expected");
    }

    /// Whether it ended well. One that closed its output and runs on is not waited for beyond
    /// `until`.
    Result<void> end_by(SteadyTime until) {
        const int handle =
            static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0)); // glibc 2.36 hides it from C++
        pollfd waiting{.fd = handle, .events = POLLIN, .revents = 0};
        const bool ended = handle >= 0 && ::poll(&waiting, 1, millis_to(until)) > 0;
        if (handle >= 0) {
            ::close(handle);
        }
        if (!ended) {
            return fail(Errc::timed_out, "no end in time");
        }
        const int status = reap();
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
            return fail(Errc::unavailable, "it failed");
        }
        return {};
    }

private:
    static int millis_to(SteadyTime until) {
        const auto left = std::chrono::ceil<Millis>(until - std::chrono::steady_clock::now());
        return left.count() > 0 ? static_cast<int>(left.count()) : 0;
    }

    int reap() {
        int status = -1;
        while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
        }
        pid_ = -1;
        return status;
    }

    pid_t pid_{-1};
    int output_{-1};
};

} // namespace

Result<std::string> run_program(const std::vector<std::string>& words, Millis wait) {
    Child child;
    if (const int failed = child.start(words); failed != 0) {
        return fail(
            Errc::unavailable,
            fmt::format("{} cannot be started: {}", words.front(), std::strerror(failed))
        );
    }
    const auto until = std::chrono::steady_clock::now() + wait;
    auto output = child.read_until(until);
    const auto ended = output ? child.end_by(until) : Result<void>(fail(output.error()));
    if (!ended) {
        return fail(ended.error().code, fmt::format("{}: {}", words.front(), ended.error().detail));
    }
    return output;
}

} // namespace baton::app
