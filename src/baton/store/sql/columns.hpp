#pragma once

// What the row readers take by their places, in that order; the table is called by the letter that
// they are written with. Named one by one, because a program goes on working over a schema to which
// a newer one has added (docs/design/upgrade.md); as macros, because only literals join.

/// Of `dispatch_row AS r`.
#define BATON_DISPATCH_COLUMNS                                                                     \
    "r.id, r.delivery_id, r.downstream, r.generation, r.upstream, r.event_type, r.pr_number, "     \
    "r.head_sha, r.level, r.device, r.state, r.reason, r.created_at_ms, r.due_at_ms, "             \
    "r.sent_at_ms, r.attempts, r.trim, r.lease_until_ms, r.fence, r.mark, r.mark_reason, "         \
    "r.delivery, r.silent_at_ms, r.ref, r.action"

/// Of `delivery AS d`.
#define BATON_DELIVERY_COLUMNS                                                                     \
    "d.sequence, d.id, d.event, d.action, d.repository, d.pr_number, d.head_sha, "                 \
    "d.received_at_ms, d.state, d.body_bytes"

/// Of `job AS j`.
#define BATON_JOB_COLUMNS                                                                          \
    "j.id, j.dispatch, j.downstream, j.upstream, j.event_type, j.pr_number, j.head_sha, "          \
    "j.workflow, j.job_name, j.run_id, j.attempt, j.status, j.conclusion, j.said_by, j.bound, "    \
    "j.run_proven, j.counts, j.start_missed, j.replaced, j.commit_check, j.level, j.device, "      \
    "j.url, j.check_run_id, j.artifact_url, j.tests_passed, j.tests_failed, j.tests_skipped, "     \
    "j.tests_total, j.dispatched_at_ms, j.started_at_ms, j.completed_at_ms, j.their_start_ms, "    \
    "j.their_end_ms, j.queue_ms"

/// Of `posting AS p`.
#define BATON_POSTING_COLUMNS                                                                      \
    "p.id, p.upstream, p.pr_number, p.head_sha, p.kind, p.name, p.gate, p.external_id, "           \
    "p.details_url, p.status, p.conclusion, p.started_at_ms, p.completed_at_ms, p.title, "         \
    "p.summary, p.text, p.version, p.state, p.github_id, p.perhaps_there, p.calls, p.trouble, "    \
    "p.attempts, p.wanted_since_ms, p.due_at_ms, p.lease_holder, p.lease_until_ms, p.fence"

/// Of `rerun AS r`.
#define BATON_RERUN_COLUMNS                                                                        \
    "r.id, r.key, r.delivery, r.upstream, r.pr_number, r.head_sha, r.downstream, r.run_id, "       \
    "r.scope, r.cause, r.actor, r.state, r.created_at_ms, r.ended_at_ms, r.detail, "               \
    "r.attempts, r.due_at_ms, r.lease_holder, r.lease_until_ms, r.fence"
