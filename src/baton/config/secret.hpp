#pragma once

#include <fmt/format.h>

#include <ostream>
#include <string>
#include <string_view>
#include <utility>

namespace baton::config {

/// A text that must not be seen. Prints as `***` wherever it is streamed or formatted; whoever
/// needs the text itself says so by `reveal`, which is easy to find in a review.
class Secret {
public:
    Secret() = default;

    explicit Secret(std::string text)
        : text_(std::move(text)) {}

    const std::string& reveal() const { return text_; }

    bool empty() const { return text_.empty(); }

    /// Whether a reload changed it. Not for comparing with what a stranger sent: that takes
    /// constant time.
    friend bool operator==(const Secret&, const Secret&) = default;

    friend std::ostream& operator<<(std::ostream& out, const Secret& /*secret*/) {
        return out << "***";
    }

private:
    std::string text_;
};

} // namespace baton::config

template <> struct fmt::formatter<baton::config::Secret> : fmt::formatter<std::string_view> {
    template <class Context>
    auto format(const baton::config::Secret& /*secret*/, Context& context) const {
        return fmt::formatter<std::string_view>::format("***", context);
    }
};
