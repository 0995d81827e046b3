#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace baton::test {

/// How a process ended.
struct Ending {
    int exit_code{-1}; // -1 when a signal ended it
    int signal{0};
};

/// A child process of the test. Its output is read here; it is killed and reaped when this dies,
/// whatever the test did.
class Process {
public:
    struct Plan {
        std::vector<std::string> command;
        std::vector<std::string> environment; // NAME=value, added to ours
        std::string stderr_file;              // empty: thrown away
    };

    explicit Process(const Plan& plan);
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;
    ~Process();

    /// The next line of standard output, without its end; nullopt when none came in time or the
    /// output ended.
    std::optional<std::string> read_line(std::chrono::milliseconds wait);
    /// Everything until the output ends.
    std::string read_all(std::chrono::milliseconds wait);
    void send_signal(int number) const;
    /// nullopt while it still runs after `wait`.
    std::optional<Ending> wait(std::chrono::milliseconds wait);
    bool runs();

    pid_t id() const { return pid_; }

private:
    bool fill(std::chrono::steady_clock::time_point deadline
    ); // false: nothing more to read, or too late

    pid_t pid_{-1};
    int out_{-1};
    std::string buffer_;
    std::optional<Ending> ending_;
};

/// Runs a command to its end: for tools that print and exit.
struct Finished {
    int exit_code{-1};
    std::string out;
    std::string err;
};

Finished
run_command(std::vector<std::string> command, const std::vector<std::string>& environment = {});

/// Where the binary under test is: `baton` beside the test.
std::string baton_binary();
/// What else was built and lies there.
std::string beside_baton(const std::string& name);

/// A folder that is gone when this dies.
class TemporaryFolder {
public:
    TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder();

    const std::string& path() const { return path_; }

    std::string file(const std::string& name) const { return path_ + "/" + name; }

    /// Writes a file in it and returns its path.
    std::string write(const std::string& name, const std::string& text) const;

private:
    std::string path_;
};

std::string slurp(const std::string& path);

} // namespace baton::test
