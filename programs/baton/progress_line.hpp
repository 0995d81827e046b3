#pragma once

#include "baton/store/tools.hpp"

#include <chrono>
#include <string>

namespace baton::program {

/// One line on a terminal that says how far long work has come; nothing where standard error is no
/// terminal, and nothing for work that is done within a second. Gone when this dies.
class ProgressLine {
public:
    ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;
    ~ProgressLine();

    void show(const store::ProgressNow& now);

private:
    bool terminal_;
    bool drawn_{false};
    std::chrono::steady_clock::time_point next_; // not drawn before
};

/// `copying  [########............]  40 %`
std::string progress_text(const store::ProgressNow& now);

} // namespace baton::program
