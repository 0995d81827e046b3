#include "support/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

extern char** environ; // NOLINT(readability-redundant-declaration): POSIX leaves it to us

namespace baton::test {

namespace {

using Clock = std::chrono::steady_clock;

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    for (auto& text : texts) {
        pointers.push_back(text.data());
    }
    pointers.push_back(nullptr);
    return pointers;
}

std::vector<std::string> whole_environment(const std::vector<std::string>& added) {
    std::vector<std::string> all(added);
    for (char** one = environ; *one != nullptr; ++one) {
        all.emplace_back(*one);
    }
    return all;
}

int milliseconds_until(Clock::time_point deadline) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    return static_cast<int>(std::clamp<std::chrono::milliseconds::rep>(left, 0, 1000));
}

} // namespace

Process::Process(const Plan& plan) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) {
        throw std::system_error(errno, std::generic_category(), "pipe");
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    const std::string errors = plan.stderr_file.empty() ? "/dev/null" : plan.stderr_file;
    posix_spawn_file_actions_addopen(
        &actions, STDERR_FILENO, errors.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600
    );
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    auto command = plan.command;
    auto surroundings = whole_environment(plan.environment);
    auto arguments = pointers_to(command);
    auto variables = pointers_to(surroundings);
    const int failed =
        ::posix_spawnp(&pid_, arguments[0], &actions, nullptr, arguments.data(), variables.data());
    posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    out_ = ends[0];
    if (failed != 0) {
        ::close(out_);
        throw std::system_error(failed, std::generic_category(), plan.command.front());
    }
}

Process::~Process() {
    if (!ending_) {
        ::kill(pid_, SIGKILL);
        ::waitpid(pid_, nullptr, 0);
    }
    ::close(out_);
}

bool Process::fill(Clock::time_point deadline) {
    while (Clock::now() < deadline) {
        pollfd wanted{.fd = out_, .events = POLLIN, .revents = 0};
        if (::poll(&wanted, 1, milliseconds_until(deadline)) <= 0) {
            continue;
        }
        char bytes[4096];
        const auto got = ::read(out_, bytes, sizeof bytes);
        if (got <= 0) {
            return false;
        }
        buffer_.append(bytes, static_cast<std::size_t>(got));
        return true;
    }
    return false;
}

std::optional<std::string> Process::read_line(std::chrono::milliseconds wait) {
    const auto deadline = Clock::now() + wait;
    for (;;) {
        if (const auto end = buffer_.find('\n'); end != std::string::npos) {
            auto line = buffer_.substr(0, end);
            buffer_.erase(0, end + 1);
            return line;
        }
        if (!fill(deadline)) {
            return std::nullopt;
        }
    }
}

std::string Process::read_all(std::chrono::milliseconds wait) {
    const auto deadline = Clock::now() + wait;
    while (fill(deadline)) {
    }
    return std::exchange(buffer_, {});
}

void Process::send_signal(int number) const {
    if (!ending_) {
        ::kill(pid_, number);
    }
}

std::optional<Ending> Process::wait(std::chrono::milliseconds wait) {
    const auto deadline = Clock::now() + wait;
    while (!ending_) {
        int status = 0;
        if (::waitpid(pid_, &status, WNOHANG) == pid_) {
            ending_ = WIFEXITED(status) ? Ending{.exit_code = WEXITSTATUS(status)}
                                        : Ending{.signal = WTERMSIG(status)};
        } else if (Clock::now() >= deadline) {
            return std::nullopt;
        } else {
            std::this_thread::sleep_for(std::chrono::milliseconds(2)
            ); // there is no portable wait with a deadline
        }
    }
    return ending_;
}

bool Process::runs() {
    return !wait(std::chrono::milliseconds(0));
}

Finished
run_command(std::vector<std::string> command, const std::vector<std::string>& environment) {
    const TemporaryFolder folder;
    const auto errors = folder.file("stderr");
    Process process(
        {.command = std::move(command), .environment = environment, .stderr_file = errors}
    );
    Finished finished;
    finished.out = process.read_all(std::chrono::seconds(60));
    if (const auto ending = process.wait(std::chrono::seconds(60))) {
        finished.exit_code = ending->exit_code;
    }
    finished.err = slurp(errors);
    return finished;
}

std::string baton_binary() {
    return beside_baton("baton");
}

std::string beside_baton(const std::string& name) {
    return (std::filesystem::read_symlink("/proc/self/exe").parent_path() / name).string();
}

TemporaryFolder::TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "baton-test-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) {
        throw std::system_error(errno, std::generic_category(), "mkdtemp");
    }
    path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored; // a folder that stays behind in /tmp harms nobody
    std::filesystem::remove_all(path_, ignored);
}

std::string TemporaryFolder::write(const std::string& name, const std::string& text) const {
    const auto path = file(name);
    std::ofstream(path, std::ios::binary) << text;
    return path;
}

std::string slurp(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

} // namespace baton::test
