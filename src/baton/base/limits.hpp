#pragma once

#include <chrono>
#include <cstddef>

/// Bounds that are not configuration, in one place; those of a single file stand at its head.
namespace baton::limits {

// --- what comes in over HTTP
inline constexpr std::size_t kWebhookBodyBytesMax = 25U * 1024 * 1024;
inline constexpr std::size_t kUnverifiedBytesMax = 64U * 1024 * 1024; // all connections together
inline constexpr std::size_t kHeaderBytesMax = 16U * 1024;
inline constexpr std::size_t kConnectionsMax = 12'288; // half of them may be open pages
inline constexpr std::chrono::seconds kHeaderWait{10}; // a request's first line and headers
inline constexpr std::chrono::seconds kBodyWait{30};   // then its body
inline constexpr std::chrono::seconds kIdleWait{75};   // between two requests of one connection
inline constexpr std::chrono::seconds kWriteWait{30};
inline constexpr std::size_t kDiscardBytesMax = 32U * 1024 * 1024; // of a body refused unread
inline constexpr std::chrono::seconds kDiscardWait{5}; // so that its sender can read why
inline constexpr std::chrono::seconds kRetryAfter{5};  // what a 503 tells the caller
inline constexpr std::chrono::seconds kDrainWait{10};  // SIGTERM to exit
inline constexpr int kJsonDepthMax = 64;
inline constexpr std::size_t kDeliveryIdBytesMax = 128;
inline constexpr std::size_t kCommandBytesMax = 1024; // of a comment: a command stands at its head
inline constexpr std::size_t kPushFilesMax =
    10'000; // names kept of one push; more count as not all listed

inline constexpr std::size_t kRefusalsUnslowed = 10; // bad tokens of one address in a minute
inline constexpr std::chrono::seconds kSlowdown{1};  // then each of its requests waits so long
inline constexpr std::size_t kSlowedAddressesMax = 10'000;

// --- what a callback may hold; more is cut and marked, or dropped and named, unless it is a name
inline constexpr std::size_t kCallbackBodyBytesMax = 2U * 1024 * 1024;
inline constexpr std::size_t kJobNameBytesMax = 512; // workflow and job: longer ones are refused
inline constexpr std::size_t kFailedTestsMax = 1000;
inline constexpr std::size_t kTestNameBytesMax = 512;
inline constexpr std::size_t kTestMessageBytesMax = 1024;
inline constexpr std::size_t kTestStackBytesMax = 4096;
inline constexpr std::size_t kBenchmarksMax = 1000;
inline constexpr std::size_t kUrlBytesMax = 2048;
inline constexpr std::size_t kEnvironmentBytesMax = 16U * 1024;
inline constexpr std::size_t kTriageVerdictBytesMax = 16U * 1024;
inline constexpr std::size_t kReportListBytesMax = 64U * 1024; // artifacts, expected failures

// --- what goes out to GitHub
inline constexpr std::size_t kClientPayloadBytesMax = 60'000; // GitHub refuses 65,536
inline constexpr std::size_t kClientPayloadKeysMax = 10;
inline constexpr std::size_t kReplyBytesMax = 10U * 1024 * 1024;
inline constexpr std::size_t kReplyHeaderBytesMax = 64U * 1024;
inline constexpr std::chrono::seconds kGithubCallWait{15};
inline constexpr std::size_t kInFlightMax = 100; // requests of one relay at once
inline constexpr std::size_t kInFlightPerDownstreamMax =
    4; // one slow downstream cannot take them all
inline constexpr std::size_t kIdleConnectionsMax = 100;
inline constexpr std::chrono::seconds kIdleConnectionAge{20};

// --- the relay's own work
inline constexpr std::size_t kPlanBatchMax = 64;
inline constexpr int kPlanConflictsMax = 8; // somebody else planned the same pull request meanwhile
inline constexpr std::chrono::seconds kPlanAgain{5
}; // after rights not told, or a list not read yet
inline constexpr std::chrono::hours kReadAgain{1}; // a stored body that cannot be parsed any more
inline constexpr std::chrono::seconds kLeaseTime{30};
inline constexpr std::chrono::milliseconds kPollTime{1000}; // the net under every wake-up call
inline constexpr std::size_t kPayloadCacheBytesMax = 16U * 1024 * 1024;
inline constexpr std::chrono::minutes kPlanLookupGiveUp{10
}; // rights that cannot be asked count as none
inline constexpr std::chrono::seconds kRightsWait{3}; // for the rights that one delivery asks about
inline constexpr std::chrono::minutes kRightsRemembered{5};
inline constexpr std::chrono::seconds kRightsNotAskedAgain{30}; // after GitHub could not say
inline constexpr std::size_t kRightsPeopleMax = 10'000;
inline constexpr std::chrono::seconds kCommitWait{3}; // for a self-report's commit
inline constexpr std::chrono::hours kCommitRemembered{1};
inline constexpr std::chrono::minutes kNoCommitRemembered{5};
inline constexpr std::size_t kCommitsRememberedMax = 10'000;
inline constexpr int kCallbacksPerMinute = 100;                    // of one downstream
inline constexpr std::chrono::milliseconds kSettleAgainFirst{200}; // the store did not take an end
inline constexpr std::chrono::milliseconds kSettleAgainLongest{5'000};

// --- what GitHub says it sent
inline constexpr std::chrono::hours kHookLogKept{72}; // by GitHub; an older hole needs another way
inline constexpr std::chrono::days kHooksKept{30};    // by us
inline constexpr std::chrono::days kDaysAccounted{7}; // written down after the fact, at most
inline constexpr std::chrono::minutes kWalkOverlap{10}; // a line may enter the log late
inline constexpr std::size_t kHookPagesMax = 2000;      // of 100 lines, in one walk
inline constexpr std::chrono::seconds kFirstWalk{1};    // after the start
inline constexpr std::size_t kAskedAtOnce = 2;    // redeliveries: tokens share the App's account
inline constexpr std::size_t kAskBatchMax = 1000; // redeliveries asked for in one walk
inline constexpr int kPullPagesMax = 200;         // of 100 open pull requests

// --- files that people write
inline constexpr std::size_t kAllowlistBytesMax = 1024U * 1024;
inline constexpr std::size_t kConfigBytesMax = 1024U * 1024;
inline constexpr int kYamlDepthMax = 16;
inline constexpr std::size_t kYamlNodesMax = 100'000;
inline constexpr std::size_t kDownstreamsMax = 10'000;
inline constexpr std::size_t kFindingsMax = 100;

// --- the store
inline constexpr std::size_t kWriteQueueMax =
    8192; // operations waiting for the writer; then unavailable
inline constexpr std::size_t kGroupCommitMax = 256; // operations in one transaction
inline constexpr std::size_t kReadQueueMax = 1024;  // reads waiting or running; then unavailable
inline constexpr std::size_t kPageRowsMax = 1000;

// --- what is told
inline constexpr std::size_t kRefusalLinesPerSecond =
    20; // log lines about webhooks that were not taken
inline constexpr std::size_t kMetricWordsMax =
    64; // values of one metric label; further ones are "other"

} // namespace baton::limits
