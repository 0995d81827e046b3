"""A seeded series of what the store's verbs write, as the same statements in SQLite and PostgreSQL.

What is there is asked of SQLite, so that the statements fit; each verb is a method, and says whether it found something to do.
"""

import random

HOUR = 3600000
DAY = 24 * HOUR
FRAME = "x'28b52ffd20021100007b7d'"  # "{}", as zstd
UPSTREAMS = ("Up/Stream", "up/stream", "else/where")
DOWNSTREAMS = ("a/one", "A/One", "own/two", "own/Three", "four/four")
ENDS = ("success", "failure", "neutral", "cancelled", "skipped", "timed_out", "action_required")
RED = "counts = 1 AND conclusion IN ('failure', 'timed_out')"


def literal(value):
    if value is None:
        return "NULL"
    if isinstance(value, int):
        return str(int(value))
    return value if value.startswith("x'") else "'" + value.replace("'", "''") + "'"


class Verbs:
    def __init__(self, stores, seed):
        self.stores = stores
        self.chance = random.Random(seed)
        self.now = 1800200000000
        self.statements = 0
        self.made = 1000
        self.done = set()
        self.verbs = [name for name in dir(Verbs) if name.startswith("do_")] + ["do_report"] * 5  # most triggers hang on it

    def some(self, n):
        until = self.statements + n
        for _ in range(n * 20):
            if self.statements >= until:
                return
            self.now += self.chance.randrange(1, 3 * HOUR)
            verb = self.chance.choice(self.verbs)
            if getattr(self, verb)():
                self.done.add(verb)
        raise AssertionError("the verbs find nothing more to do")

    def never_done(self):
        return set(self.verbs) - self.done

    # --- the small words

    def write(self, sql, postgres=None):
        self.stores.both(sql, postgres)
        self.statements += 1
        return True

    def insert(self, table, row, after=""):
        names, values = ", ".join(row), ", ".join(literal(value) for value in row.values())
        return self.write(f"INSERT INTO {table} ({names}) VALUES ({values}) {after}")

    def replace(self, table, keys, row):
        """SQLite's word for it does not run the triggers of a removal, and those of an insertion again."""
        names, values = ", ".join(row), ", ".join(literal(value) for value in row.values())
        changes = ", ".join(f"{name} = excluded.{name}" for name in row)
        return self.write(f"INSERT OR REPLACE INTO {table} ({names}) VALUES ({values})",
                          f"INSERT INTO {table} ({names}) VALUES ({values}) ON CONFLICT ({keys}) DO UPDATE SET {changes}")

    def update(self, table, row, where):
        changes = ", ".join(f"{name} = {literal(value)}" for name, value in row.items())
        return self.write(f"UPDATE {table} SET {changes} WHERE {where}")

    def pick(self, table, where="1 = 1"):
        rows = self.stores.sqlite.execute(f"SELECT * FROM {table} WHERE {where}").fetchall()
        return dict(self.chance.choice(rows)) if rows else None

    def one_of(self, *values):
        return self.chance.choice(values)

    def number(self):
        self.made += 1
        return self.made

    def pair(self):
        return {"upstream": self.one_of(*UPSTREAMS), "downstream": self.one_of(*DOWNSTREAMS)}

    # --- deliveries, plans, dispatches

    def do_deliver(self):
        missing = self.pick("hook", "arrived = 0")
        id = self.one_of(f"d-{self.number()}", f"d-{self.number()}", self.pick("delivery")["id"],
                         missing["delivery"] if missing else f"d-{self.number()}")
        known = self.pick("delivery", f"id = '{id}'")
        self.insert("delivery", {"id": id, "event": "push", "action": self.one_of("", "closed"), "repository": self.one_of(*UPSTREAMS),
                                 "pr_number": self.one_of(None, 7, 8), "head_sha": self.one_of("aaaa", "eeee", "ffff"),
                                 "received_at_ms": self.now, "plan_at_ms": 0, "body_bytes": 2}, "ON CONFLICT (id) DO NOTHING")
        if not known:
            self.write(f"INSERT INTO delivery_body (sequence, zstd, at_ms) SELECT sequence, {FRAME}, received_at_ms FROM delivery WHERE id = '{id}'")
        return True

    def do_note_hook(self):
        delivery = self.one_of(f"late-{self.number()}", self.pick("delivery")["id"])
        return self.insert("hook", {"delivery": delivery, "event": "push", "action": "", "first_at_ms": self.now, "try_id": self.number(),
                                    "try_at_ms": self.now, "status": self.one_of(200, 502), "redelivery": 0, "concerns": 1},
                           "ON CONFLICT (delivery) DO UPDATE SET status = excluded.status, try_id = excluded.try_id")

    def do_forget_hooks(self):
        return self.write(f"DELETE FROM hook WHERE first_at_ms < {self.now - 20 * DAY}")

    def do_pull_request(self):
        row = {"head_sha": self.one_of("aaaa", "eeee", f"h{self.number()}"), "updated_at_ms": self.now, "open": self.one_of(0, 1),
               "draft": self.one_of(0, 1), "labels": self.one_of("[]", '["bug"]'), "title": "it's new"}
        known = self.pick("pull_request")
        if self.chance.random() < 0.6:
            return self.update("pull_request", {**row, "version": known["version"] + 1},
                               f"upstream = '{known['upstream'].upper()}' AND number = {known['number']}")
        return self.insert("pull_request", {"upstream": self.one_of(*UPSTREAMS), "number": self.one_of(7, 8, 9), **row, "author": "bob",
                                            "association": "member", "approved": 1, "newest_forwarded": "", "version": 1},
                           "ON CONFLICT (upstream, number) DO NOTHING")

    def do_plan(self):
        delivery = self.pick("delivery")
        where = f"(SELECT sequence FROM delivery WHERE id = '{delivery['id']}')"
        row = {"generation": self.number(), **self.pair(), "event_type": self.one_of("pull_request", "nightly"),
               "pr_number": delivery["pr_number"], "head_sha": delivery["head_sha"], "level": self.one_of(1, 2, 4), "device": "npu",
               "state": "pending", "reason": "listed", "created_at_ms": self.now, "due_at_ms": self.now, "awaits_start": 1, "ref": ""}
        values = ", ".join(literal(value) for value in row.values())
        self.write(f"INSERT INTO dispatch (delivery, {', '.join(row)}) SELECT {where}, {values}")
        return self.write(f"UPDATE delivery SET state = 'planned' WHERE id = '{delivery['id']}'")

    def do_lease(self):
        if not (dispatch := self.pick("dispatch", "state = 'pending' AND lease_until_ms = 0")):
            return False
        attempt = dispatch["attempts"] + 1
        self.write(f"UPDATE dispatch SET lease_holder = 'r', lease_until_ms = {self.now}, fence = fence + 1, attempts = attempts + 1 "
                   f"WHERE id = {dispatch['id']}")
        return self.insert("attempt", {"dispatch": dispatch["id"], "number": attempt, "holder": "r", "started_at_ms": self.now})

    def do_settle(self):
        if not (dispatch := self.pick("dispatch", "state = 'pending' AND lease_until_ms > 0")):
            return False
        state = self.one_of("sent", "sent", "pending", "failed", "dead")
        outcome = "accepted" if state == "sent" else self.one_of("unknown", "refused", "withheld")
        self.update("attempt", {"outcome": outcome, "ended_at_ms": self.now},
                    f"dispatch = {dispatch['id']} AND number = {dispatch['attempts']}")
        return self.update("dispatch", {"state": state, "sent_at_ms": self.now if state == "sent" else dispatch["sent_at_ms"],
                                        "lease_holder": "", "lease_until_ms": 0, "mark": None}, f"id = {dispatch['id']}")

    def do_fall_silent(self):
        if not (dispatch := self.pick("dispatch", "state = 'sent' AND silent_at_ms IS NULL")):
            return False
        return self.update("dispatch", {"state": "finished", "reason": "silent", "silent_at_ms": self.now}, f"id = {dispatch['id']}")

    def do_remove(self):
        """What no verb removes today: the counts that are kept follow all the same."""
        table = self.one_of("look", "posting", "rerun", "dispatch", "delivery")
        unused = {"dispatch": "NOT EXISTS (SELECT 1 FROM job WHERE dispatch = dispatch.id) AND NOT EXISTS (SELECT 1 FROM ladder_ruling "
                              "WHERE dispatch = dispatch.id)",
                  "delivery": "NOT EXISTS (SELECT 1 FROM dispatch WHERE delivery = delivery.sequence)"}
        if not (row := self.pick(table, unused.get(table, "1 = 1"))):
            return False
        known_by = {"delivery": ("id",), "look": ("upstream", "pr_number", "head_sha")}.get(table, ("id",))
        return self.write(f"DELETE FROM {table} WHERE " + " AND ".join(f"{name} = {literal(row[name])}" for name in known_by))

    # --- jobs and what failed in them

    def do_report(self):
        """A start, an end, another end, or one that loses or gets back its place; then what follows at the dispatch and the sinks."""
        known = self.pick("job") if self.chance.random() < 0.7 else None
        ends = self.chance.random() < 0.7
        dispatch = self.pick("dispatch", "state IN ('sent', 'started', 'finished')") if self.chance.random() < 0.8 else None
        row = known or {
            "id": None, "dispatch": dispatch and dispatch["id"], "event_type": "nightly", "pr_number": None, "head_sha": "eeee", **self.pair(),
            **({key: dispatch[key] for key in ("downstream", "upstream", "event_type", "pr_number", "head_sha")} if dispatch else {}),
            "workflow": "ci", "job_name": self.one_of("", "test"), "run_id": self.one_of("101", "102"), "attempt": self.number(),
            "bound": 1, "run_proven": 1, "start_missed": 0, "replaced": 0, "commit_check": "known", "level": self.one_of(2, 4),
            "device": "", "url": "", "check_run_id": "", "artifact_url": "", "started_at_ms": self.now,
            "queue_ms": self.one_of(None, 5)}
        if known and self.chance.random() < 0.5:  # the same job once more
            row = {**known, "id": None, "attempt": self.number()}
            known = None
        row.update(status="completed" if ends else "in_progress", conclusion=self.one_of(*ENDS) if ends else None,
                   completed_at_ms=self.now if ends else None, said_by=self.one_of("downstream", "relay") if known else "downstream",
                   counts=self.one_of(0, 1, 1, 1), started_at_ms=row["started_at_ms"] or self.now)
        changes = ("status", "conclusion", "said_by", "counts", "started_at_ms", "completed_at_ms")
        self.insert("job", row, "ON CONFLICT (id) DO UPDATE SET " + ", ".join(f"{name} = excluded.{name}" for name in changes)
                    if known else "")
        if row["dispatch"]:
            self.insert("claim", {"dispatch": row["dispatch"], "workflow": "ci", "run_id": row["run_id"], "started_at_ms": self.now},
                        "ON CONFLICT (dispatch, workflow) DO UPDATE SET started_at_ms = excluded.started_at_ms")
            self.update("dispatch", {"state": "finished" if ends else "started", "silent_at_ms": None},
                        f"id = {row['dispatch']} AND state <> 'pending'")
        job = known["id"] if known else self.stores.sqlite.execute("SELECT max(id) FROM job").fetchone()[0]
        return self.insert("outbox", {"sink": "hud", "lane": f"job {job}", "job": job, "body_bytes": 2, "zstd": FRAME,
                                      "created_at_ms": self.now, "due_at_ms": self.now})

    def do_fail_tests(self):
        if not (job := self.pick("job", RED)):
            return False
        cluster = self.chance.randrange(-3, 3)
        self.insert("cluster", {"id": cluster, "upstream": job["upstream"], "signature": "boom"}, "ON CONFLICT DO NOTHING")
        for _ in range(3):
            self.insert("failed_test", {
                "job": job["id"], "place": self.number(), "cluster": cluster, "upstream": job["upstream"], "message": "boom",
                "downstream": job["downstream"], "pr_number": job["pr_number"], "trunk": int(job["pr_number"] is None),
                "at_ms": job["completed_at_ms"] - self.one_of(0, 1, HOUR, DAY), "test": self.one_of("t1", "t2")})
        return True

    def do_drop_failed_tests(self):
        if not (test := self.pick("failed_test")):
            return False
        return self.write(f"DELETE FROM failed_test WHERE job = {test['job']}")

    def do_lose_claim(self):
        """One job of a run, so that the order in which an engine finds several cannot tell."""
        if not (job := self.pick("job", "counts = 1 AND dispatch IS NOT NULL")):
            return False
        self.write(f"UPDATE job SET counts = 0 WHERE dispatch = {job['dispatch']} AND run_id = '{job['run_id']}' AND id = {job['id']}")
        return self.write(f"DELETE FROM claim WHERE dispatch = {job['dispatch']}")

    def prune(self):
        """The results of one commit at a downstream go. Not among the others: times of what is left in a cluster are told by the order in
        which an engine removes, when one statement takes several of different times back, which no verb does."""
        if not (row := self.pick("grid_row", "NOT EXISTS (SELECT 1 FROM cell WHERE grid_row = grid_row.id AND running > 0)")):
            return False
        self.write("INSERT INTO leaving (job) SELECT id FROM job WHERE counts = 1 AND "
                   + " AND ".join(f"{name} = {literal(row[name])}" for name in ("upstream", "downstream", "event_type", "head_sha")))
        leaving = "(SELECT job FROM leaving)"
        for table in ("attribution", "flaky_cell"):
            self.write(f"DELETE FROM {table} WHERE cell IN (SELECT cell FROM cell_job WHERE job IN {leaving})")
        self.write(f"DELETE FROM cell_job WHERE job IN {leaving}")
        self.write("DELETE FROM cell WHERE NOT EXISTS (SELECT 1 FROM cell_job WHERE cell = cell.id)")
        self.write("DELETE FROM grid_row WHERE NOT EXISTS (SELECT 1 FROM cell WHERE grid_row = grid_row.id)")
        for table in ("failed_test", "benchmark_value", "outbox"):
            self.write(f"DELETE FROM {table} WHERE job IN {leaving}")
        self.write(f"DELETE FROM job WHERE id IN {leaving}")
        return self.write("DELETE FROM leaving")

    def do_attribute(self):
        if not self.pick("attribution"):
            return False
        cells = "SELECT cell FROM attribution WHERE looks = (SELECT min(looks) FROM attribution)"
        return self.write(f"UPDATE attribution SET verdict = '{self.one_of('pr', 'trunk', 'infra')}', confidence = "
                          f"'{self.one_of('low', 'high')}', looks = looks + 1, evidence = '[1]' WHERE cell IN ({cells})")

    def do_measure(self):
        job, row = self.pick("job"), {**self.pair(), "suite": "s", "name": self.one_of("x", "y"), "unit": "ms"}
        self.insert("benchmark", {**row, "last_at_ms": self.now},
                    "ON CONFLICT (upstream, downstream, suite, name, unit) DO UPDATE SET last_at_ms = excluded.last_at_ms")
        where = " AND ".join(f"{name} = {literal(value)}" for name, value in row.items())
        head = f"INTO benchmark_value (benchmark, job, at_ms, value) SELECT id, {job['id']}, {self.now}, {self.number()}.25 FROM benchmark"
        return self.write(f"INSERT OR REPLACE {head} WHERE {where}", f"INSERT {head} WHERE {where} ON CONFLICT (benchmark, job) "
                          "DO UPDATE SET at_ms = excluded.at_ms, value = excluded.value")

    # --- letters, looks, postings, re-runs

    def do_letter(self):
        if not (letter := self.pick("outbox")):
            return False
        if letter["state"] == "dead":
            return self.update("outbox", {"state": "waiting", "died_at_ms": None, "due_at_ms": self.now}, f"id = {letter['id']}")
        if self.chance.random() < 0.5:
            return self.write(f"DELETE FROM outbox WHERE id = {letter['id']}")
        return self.update("outbox", {"state": "dead", "died_at_ms": self.now, "due_at_ms": None, "lease_until_ms": 0},
                           f"id = {letter['id']}")

    def do_look(self):
        row = {"upstream": self.one_of(*UPSTREAMS), "pr_number": self.one_of(0, 7), "head_sha": self.one_of("aaaa", "eeee"), "version": 1,
               "first_at_ms": self.now, "due_at_ms": self.one_of(None, self.now)}
        return self.insert("look", row, "ON CONFLICT (upstream, pr_number, head_sha) DO UPDATE SET "
                           "version = look.version + 1, due_at_ms = excluded.due_at_ms")

    def do_post(self):
        if self.chance.random() < 0.6 and (known := self.pick("posting")):
            state = self.one_of("waiting", "given_up", "in_step")
            return self.update("posting", {
                "state": state, "version": known["version"] + self.one_of(0, 1), "due_at_ms": self.now if state == "waiting" else None,
                "lease_until_ms": 0, "perhaps_there": 0, "github_id": 1}, f"id = {known['id']}")
        return self.insert("posting", {
            "id": None, "upstream": self.one_of(*UPSTREAMS), "pr_number": self.one_of(0, 7), "head_sha": "aaaa", "kind": "check",
            "name": f"c{self.number()}", "gate": 0, "external_id": "", "details_url": "", "status": "queued", "title": "", "summary": "",
            "text": "", "version": 1, "state": "waiting", "perhaps_there": 0, "calls": 0, "trouble": "", "attempts": 0,
            "wanted_since_ms": self.now, "due_at_ms": self.now, "lease_holder": "", "lease_until_ms": 0, "fence": 0})

    def do_rerun(self):
        if self.chance.random() < 0.4 and (known := self.pick("rerun", "state = 'waiting'")):
            return self.update("rerun", {"state": "asked", "ended_at_ms": self.now, "due_at_ms": None, "lease_until_ms": 0},
                               f"id = {known['id']}")
        return self.insert("rerun", {
            "key": f"k{self.number()}", "delivery": "", **self.pair(), "pr_number": 7, "head_sha": "aaaa", "run_id": "", "scope": "all",
            "cause": "person", "actor": "ann", "state": "waiting", "created_at_ms": self.now, "detail": "", "attempts": 0,
            "due_at_ms": self.now, "lease_holder": "", "lease_until_ms": 0, "fence": 0})

    # --- what people do and are told

    def do_suspend(self):
        return self.replace("suspension", "downstream, upstream", {
            **self.pair(), "since_ms": self.now, "until_ms": None, "reason": f"r{self.number()}", "actor": "ann"})

    def do_resume(self):
        if not (known := self.pick("suspension")):
            return False
        return self.write(f"DELETE FROM suspension WHERE downstream = '{known['downstream']}' AND upstream = '{known['upstream'].upper()}'")

    def do_suspend_gate(self):
        return self.replace("gate_suspension", "upstream, downstream", {
            **self.pair(), "since_ms": self.now, "reason": "red", "evidence": "", "by_hand": 0, "actor": ""})

    def do_resume_gate(self):
        if not (known := self.pick("gate_suspension")):
            return False
        self.insert("ledger", {"at_ms": self.now, "kind": "gate_resumed", "detail": "fine"})
        return self.write(f"DELETE FROM gate_suspension WHERE downstream = '{known['downstream']}' AND upstream = '{known['upstream']}'")

    def do_refuse(self):
        row = {"downstream": self.one_of(*DOWNSTREAMS), "reason": self.one_of("late", "early"), "hour_ms": self.now - self.now % HOUR}
        where = " AND ".join(f"{name} = {literal(value)}" for name, value in row.items())
        if self.pick("refusal", where.replace("downstream =", "downstream COLLATE NOCASE =")):
            return self.write(f"UPDATE refusal SET n = n + 1, last_at_ms = {self.now} WHERE {where}")
        return self.insert("refusal", {**row, "status": 400, "detail": "", "delivery": "", "first_at_ms": self.now,
                                       "last_at_ms": self.now, "n": 1})

    def do_note(self):
        return self.insert("note", {"about": "downstream", "subject": self.one_of(*DOWNSTREAMS), "text": "é", "actor": "ann",
                                    "at_ms": self.now})

    def do_rehearse(self):
        return self.write("INSERT INTO rehearsal (dispatch, started_at_ms, ended_at_ms, reports) "
                          f"SELECT max(id), {self.now}, {self.one_of('NULL', self.now)}, 1 FROM dispatch WHERE true "
                          "ON CONFLICT (dispatch) DO UPDATE SET ended_at_ms = coalesce(excluded.ended_at_ms, rehearsal.ended_at_ms), "
                          "reports = rehearsal.reports + 1")

    def do_answer(self):
        self.write(f"DELETE FROM oncall_answer WHERE upstream = '{self.one_of(*UPSTREAMS)}' AND at_ms < {self.now - HOUR}")
        return self.write("INSERT INTO oncall_answer (upstream, at_ms, downstream, pr_number) "
                          f"VALUES ('{self.one_of(*UPSTREAMS)}', {self.now}, '{self.one_of(*DOWNSTREAMS)}', {self.one_of(1, 7)}) "
                          "ON CONFLICT (upstream, at_ms, downstream, pr_number) DO NOTHING")

    def do_list(self):
        return self.insert("allowlist_version", {"upstream": self.one_of(*UPSTREAMS), "source": "f", "mark": "m", "text": "L1: []",
                                                 "in_force_at_ms": self.now})

    def do_move(self):
        pair = self.pair()
        self.replace("ladder_standing", "upstream, downstream", {
            **pair, "listed": 4, "effective": self.one_of(2, 3, 4), "state": "ok", "since_ms": self.now, "as_of_ms": self.now,
            "detail": "{}"})
        self.insert("ladder_transition", {
            **pair, "at_ms": self.now, "as_of_ms": self.now, "move": "proposed", "from_state": "ok", "to_state": "ok", "from_level": 4,
            "to_level": 3, "rules": "[]", "reason": "", "figures": "[]", "profile": "p", "digest": "d", "actor": "baton"})
        return self.write("INSERT INTO ladder_pull (move, repo, number, url, at_ms) "
                          f"SELECT max(id), 'Up/Stream', 1, 'u', {self.now} FROM ladder_transition WHERE true "
                          "ON CONFLICT (move) DO NOTHING")
