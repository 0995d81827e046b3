#pragma once

#include "baton/ports/github.hpp"
#include "baton/sim/crash_points.hpp"

#include <array>
#include <memory>
#include <optional>
#include <utility>

namespace baton::sim {

inline constexpr VerbPoints kGithubDispatch{
    .before = "github.dispatch.before", .after = "github.dispatch.after"
};
inline constexpr VerbPoints kGithubReadFile{
    .before = "github.read_file.before", .after = "github.read_file.after"
};
inline constexpr VerbPoints kGithubPermission{
    .before = "github.permission.before", .after = "github.permission.after"
};
inline constexpr VerbPoints kGithubCheckAccess{
    .before = "github.check_access.before", .after = "github.check_access.after"
};

inline constexpr std::array kGithubVerbs{
    kGithubDispatch,
    kGithubReadFile,
    kGithubPermission,
    kGithubCheckAccess,
};

/// A Github whose calls pass crash points. `inner` outlives it. A dispatch that is ordered to fail
/// was `not_sent`.
class SteppedGithub final : public ports::Github {
public:
    SteppedGithub(ports::Github& inner, std::shared_ptr<Incarnation> life)
        : inner_(inner)
        , life_(std::move(life)) {}

    boost::asio::awaitable<domain::Answer> dispatch(ports::DispatchCall call) override;
    boost::asio::awaitable<Result<std::optional<ports::FileVersion>>>
    read_file(ports::FileQuery query) override;
    boost::asio::awaitable<Result<domain::Permission>> permission(ports::PermissionQuery query
    ) override;
    boost::asio::awaitable<Result<void>> check_access() override;

private:
    ports::Github& inner_;
    std::shared_ptr<Incarnation> life_;
};

} // namespace baton::sim
