#include "baton/domain/command.hpp"

#include "baton/base/limits.hpp"
#include "baton/base/text.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace baton::domain {

namespace {

constexpr std::string_view kName = "@baton";
constexpr std::size_t kWordsMax = 4;         // name, verb, target, --all
constexpr std::size_t kTargetBytesMax = 140; // 39 of an owner, a slash, 100 of a repository
constexpr std::size_t kUtf8BytesMax = 4;     // of one character: so much less a cut may leave

bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

/// Parts of a comment that nobody sees, or sees as somebody else's words.
struct Enclosure {
    std::string_view open;
    std::string_view close;
};

constexpr std::array kEnclosures{
    Enclosure{.open = "<!--", .close = "-->"},
    Enclosure{.open = "<pre", .close = "</pre>"},
};

/// Goes through a comment line by line and tells which lines are the writer's own, visible words.
class OwnWords {
public:
    bool holds(std::string_view line) {
        if (fence_ != 0) {
            end_fence(line);
            return false;
        }
        if (!closing_.empty()) {
            if (lower(line).find(closing_) != std::string::npos) {
                closing_ = {};
            }
            return false;
        }
        const auto text = trimmed(line);
        if (text.empty()) {
            quoted_ = false;
            return false;
        }
        const auto indent = static_cast<std::size_t>(text.data() - line.data());
        if (indent > 3 || line.front() == '\t') {
            return false; // code, in Markdown
        }
        return !begins_other(text) && !quoted_;
    }

private:
    /// A quote, a fence, something hidden.
    bool begins_other(std::string_view text) {
        if (text.front() == '>') {
            quoted_ = true; // and so are the lines right below it, until an empty one
            return true;
        }
        const auto length = std::min(text.find_first_not_of(text.front()), text.size());
        const bool fence = length >= 3 && (text.front() == '~' || text.front() == '`');
        if (fence && (text.front() == '~' || text.find('`', length) == std::string_view::npos)) {
            fence_ = text.front();
            fence_length_ = length;
            return true;
        }
        const auto small = lower(text);
        for (const auto& [open, close] : kEnclosures) {
            const auto at = small.rfind(open);
            if (at != std::string::npos && small.find(close, at) == std::string::npos) {
                closing_ = close;
            }
        }
        return false;
    }

    void end_fence(std::string_view line) {
        const auto text = trimmed(line);
        if (text.size() >= fence_length_ && text.find_first_not_of(fence_) == text.npos) {
            fence_ = 0;
        }
    }

    char fence_{0}; // what the open code block began with; 0: none is open
    std::size_t fence_length_{0};
    std::string_view closing_; // what ends the open enclosure; empty: none is open
    bool quoted_{false};
};

/// The words of a line; none at all when there are more than any command has.
std::vector<std::string_view> words_of(std::string_view line) {
    std::vector<std::string_view> words;
    for (line = trimmed(line); !line.empty(); line = trimmed(line)) {
        const auto end =
            static_cast<std::size_t>(std::ranges::find_if(line, is_blank) - line.begin());
        if (words.size() == kWordsMax) {
            return {};
        }
        words.push_back(line.substr(0, end));
        line.remove_prefix(end);
    }
    return words;
}

bool is_target(std::string_view word) {
    constexpr std::string_view kAllowed = "abcdefghijklmnopqrstuvwxyz"
                                          "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./";
    return word.size() <= kTargetBytesMax && !word.starts_with('-') &&
           word.find_first_not_of(kAllowed) == std::string_view::npos;
}

std::optional<Command::Verb> verb_named(std::string_view name) {
    for (const auto verb : {Command::Verb::rerun, Command::Verb::status}) {
        if (name_of(verb) == name) {
            return verb;
        }
    }
    return std::nullopt;
}

std::optional<Command> command_of(std::string_view line) {
    const auto words = words_of(line);
    if (words.size() < 2 || lower(words[0]) != kName) {
        return std::nullopt;
    }
    const auto verb = verb_named(lower(words[1]));
    if (!verb) {
        return std::nullopt;
    }
    Command command{.verb = *verb, .target = "", .all = false};
    for (std::size_t i = 2; i < words.size(); ++i) {
        if (*verb == Command::Verb::rerun && !command.all && lower(words[i]) == "--all") {
            command.all = true;
        } else if (command.target.empty() && is_target(words[i])) {
            command.target = words[i];
        } else {
            return std::nullopt;
        }
    }
    return command;
}

/// What is long enough to have been cut ends in half a line, and half a name is another's name.
std::string_view whole_lines(std::string_view comment) {
    if (comment.size() + kUtf8BytesMax <= limits::kCommandBytesMax) {
        return comment;
    }
    const auto end = comment.substr(0, limits::kCommandBytesMax).find_last_of("\r\n");
    return comment.substr(0, end == std::string_view::npos ? 0 : end);
}

} // namespace

std::string_view name_of(Command::Verb verb) {
    return verb == Command::Verb::rerun ? "rerun" : "status";
}

std::optional<Command> command_in(std::string_view comment) {
    OwnWords own;
    for (auto rest = whole_lines(comment); !rest.empty();) {
        const auto end = std::min(rest.find_first_of("\r\n"), rest.size());
        const auto line = rest.substr(0, end);
        rest.remove_prefix(end);
        rest.remove_prefix(rest.starts_with("\r\n") ? 2 : std::min<std::size_t>(1, rest.size()));
        if (!own.holds(line)) {
            continue;
        }
        if (auto command = command_of(line); command) {
            return command;
        }
    }
    return std::nullopt;
}

} // namespace baton::domain
