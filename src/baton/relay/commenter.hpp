#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/domain/letter.hpp"
#include "baton/ports/clock.hpp"
#include "baton/ports/github_writing.hpp"
#include "baton/ports/results.hpp"
#include "baton/ports/sink.hpp"

#include <boost/asio/awaitable.hpp>

#include <functional>
#include <optional>
#include <string>

namespace baton::relay {

/// Tells of notifications by comments on one issue, one each. A comment begins with a mark that no
/// other has and nobody sees, by which one whose answer was never heard is found again. Private
/// downstreams are told of in no comment. Relay's executor.
class Commenter final : public ports::Sink {
public:
    struct Settings {
        std::string name; // what its letters are addressed to
        RepoName repo;
        PrNumber issue{};
        std::string page; // of the HUD, for links
    };

    /// Whether everybody may know of that downstream; nullopt: nobody knows yet.
    using IsOpen = std::function<std::optional<bool>(const RepoName& up, const RepoName& down)>;

    struct Surroundings {
        ports::GithubWriting& writing;
        ports::Clock& clock;
        IsOpen is_open;
    };

    Commenter(Settings settings, Surroundings around);

    const std::string& name() const override { return settings_.name; }

    boost::asio::awaitable<domain::SinkAnswer> deliver(ports::TakenLetter letter) override;

private:
    boost::asio::awaitable<Result<void>> post(ports::TakenLetter letter, std::string text);

    Settings settings_;
    Surroundings around_;
};

} // namespace baton::relay
