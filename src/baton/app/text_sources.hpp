#pragma once

#include "baton/async/blocking_pool.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/ports/github.hpp"
#include "baton/ports/text_source.hpp"

#include <boost/asio/awaitable.hpp>

#include <optional>
#include <string>
#include <utility>

namespace baton::app {

/// A text in a file beside the configuration; its mark is the file's identity, size and time.
class FileSource final : public ports::TextSource {
public:
    FileSource(std::string path, async::BlockingPool& pool)
        : path_(std::move(path))
        , pool_(pool) {}

    boost::asio::awaitable<Result<std::optional<ports::TextVersion>>> fetch(std::string mark
    ) override;
    std::string describe() const override;

private:
    std::string path_;
    async::BlockingPool& pool_;
};

/// A text in a repository, read with the App's credentials; its mark is the ETag.
class RepositorySource final : public ports::TextSource {
public:
    struct Place {
        RepoName repo;
        std::string path;
        std::string ref;
    };

    RepositorySource(Place place, ports::Github& github)
        : place_(std::move(place))
        , github_(github) {}

    boost::asio::awaitable<Result<std::optional<ports::TextVersion>>> fetch(std::string mark
    ) override;
    std::string describe() const override;

private:
    Place place_;
    ports::Github& github_;
};

} // namespace baton::app
