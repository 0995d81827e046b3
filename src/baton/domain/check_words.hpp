#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/check_text.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/run.hpp"

#include <string>
#include <string_view>
#include <vector>

/// Words that the texts of jobs, gate and comment have in common.
namespace baton::domain {

/// `@fay, @up/team` for those who shall be told, else in code: seen, and nobody notified. Empty
/// without any.
std::string handles_of(const std::vector<Login>& oncalls, bool told);

/// "2026-11-15 13:30 UTC"
std::string minute_of(TimePoint when);

/// What kind of failure, for people; empty when it did not fail.
std::string failure_kind(const Job& job);

/// What the title says instead of the job's or the gate's own state.
std::string overtaken_title(Overtaken overtaken, const HeadSha& newer, std::string_view who);

/// And what the text begins with.
std::string overtaken_sentence(Overtaken overtaken);

/// "[All downstreams of this pull request](…)"; empty without a page.
std::string page_link(const Subject& subject, std::string_view page);

/// `@baton rerun owner/repo`, as code: who reads it shall not be taken to have said it.
std::string rerun_command(const RepoName& downstream);

} // namespace baton::domain
