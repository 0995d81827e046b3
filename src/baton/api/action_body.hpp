#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"

#include <boost/json/object.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace baton::api {

/// The JSON body of an action; each fault is `invalid` with its field and what to write instead.
class ActionBody {
public:
    static constexpr std::size_t kBytesMax = 16U * 1024;

    /// An object that has no other fields than these.
    static Result<ActionBody> read(std::string_view text, std::span<const std::string_view> known);

    /// Between 1 and `most` bytes.
    Result<std::string> text(std::string_view name, std::size_t most) const;
    Result<std::string> text_if(std::string_view name, std::size_t most) const; // empty: not there
    Result<RepoName> repository(std::string_view name) const;
    Result<std::optional<RepoName>> repository_if(std::string_view name) const;
    Result<std::optional<TimePoint>> time_if(std::string_view name) const; // null: not there

private:
    explicit ActionBody(boost::json::object fields)
        : fields_(std::move(fields)) {}

    boost::json::object fields_;
};

} // namespace baton::api
