#pragma once

#include <string>
#include <vector>

#include "sim/world.hpp"

namespace baton::test {

/// What must hold once a world has come to rest, whatever happened on the way. Each broken rule is
/// one sentence.
///
///   - No accepted delivery is lost: it is in the store, planned, and has a row for every
///   downstream that always gets it.
///   - Every dispatch comes to rest.
///   - What is called sent was received, and nothing else was, unless GitHub's answer could not be
///   known.
///   - Nothing is received twice unless the outcome of an earlier attempt could not be known.
///   - What a newer commit superseded or a close cancelled has a newer commit or a close to show
///   for it.
///   - Nothing is begun for a commit that a newer one, or a close, had overtaken.
///   - Every dispatch carries a callback token that verifies against its row, one generation's or
///   another's, and the bounds above hold for each generation by itself.
///   - A commit is dispatched to a downstream afresh at most once, and then by order.
std::vector<std::string> check(World& world);

/// The part of it that is about results.
///
///   - What a callback was answered with 200 for is in the store as it was said.
///   - A job moves forward only, and its downstream's first conclusion stands.
///   - One verdict counts for each job and attempt of a dispatch, and one run per dispatch and
///     workflow is told to proceed.
///   - Nothing forged is taken in; nothing that shows no token counts as bound; every result is put
///     where the ledger says, whatever its body says.
std::vector<std::string> check_results(World& world);

/// The part of it that is about what stands on pull requests.
///
///   - Every check has ended, unless its pull request is open and its job truly runs.
///   - A commit has one check of a name, and it shows what the facts in the store ask for. On a
///     commit that a newer one overtook, words and checks by label may be those of then, and the
///     gate says no more than its own jobs do.
///   - The gate of every open pull request's head is there and decided.
///   - A check stands only where its downstream, of level 3 or 4, was dispatched for that commit
///     and pull request, and is about a run of that dispatch.
///   - Nothing was given up, and nothing is left to post.
///   - In a world where nothing else fails, silence keeps no gate undecided for longer than the
///     start, or the run, may take and one minute.
std::vector<std::string> check_checks(World& world);

} // namespace baton::test
