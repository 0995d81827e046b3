"""The webhooks that are sent: GitHub's own published example of a pull request, brought to one size."""

import hashlib
import hmac
import json
from pathlib import Path

BODY_BYTES = 25_600
UPSTREAM = "up/stream"


def example(packages, event, action):
    """The first published payload of that event and action."""
    folder = Path(packages, "node_modules/@octokit/webhooks-examples/api.github.com")
    for event_set in json.loads((folder / "index.json").read_text(encoding="utf-8")):
        if event_set["name"] == event:
            for payload in event_set["examples"]:
                if payload.get("action", action) == action:
                    return payload
    raise SystemExit(f"bench: @octokit/webhooks-examples has no {event} {action}")


def pull_request(template, number):
    """The example as the opening of pull request `number`, padded to exactly BODY_BYTES."""
    payload = json.loads(json.dumps(template))
    payload["action"] = "opened"
    payload["number"] = number
    payload["repository"]["full_name"] = UPSTREAM
    pull = payload["pull_request"]
    pull["number"] = number
    pull["state"] = "open"
    pull["head"]["sha"] = f"{number:040x}"
    pull["body"] = ""
    pull["body"] = "A change that matters. " * BODY_BYTES
    spare = len(encoded(payload)) - BODY_BYTES
    pull["body"] = pull["body"][: len(pull["body"]) - spare]
    return encoded(payload)


def push(template, number):
    """The example as a push of its own branch: nothing supersedes it."""
    payload = json.loads(json.dumps(template))
    payload["repository"]["full_name"] = UPSTREAM
    payload["ref"] = f"refs/heads/branch-{number}"
    payload["before"] = "1" * 40
    payload["after"] = f"{number:040x}"
    payload["deleted"] = False
    return encoded(payload)


def reports_of(client_payload, jobs):
    """Two callbacks of each of so many jobs: the dispatch's payload echoed, a start, then an end."""
    for number in range(jobs):
        for status, conclusion in (("in_progress", None), ("completed", "failure")):
            workflow = {"schema_version": "1", "status": status, "conclusion": conclusion, "name": "ci",
                        "job_name": f"leg {number}", "run_id": "17", "run_attempt": "1", "check_run_id": "17-1",
                        "url": "https://github.com/org0/backend/actions/runs/17"}
            if conclusion:
                workflow["test_results"] = {"passed": 4000, "failed": 5, "skipped": 95, "total": 4100}
                workflow["failed_tests"] = [{"name": f"test_case_{test}", "message": "expected 1, was 2 " * 8}
                                            for test in range(5)]
            yield encoded({**client_payload, "workflow": workflow})


def signed_headers(secret, event, delivery, body):
    """What GitHub sends with a webhook."""
    signature = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return {"Content-Type": "application/json", "X-GitHub-Event": event, "X-GitHub-Delivery": delivery,
            "X-Hub-Signature-256": f"sha256={signature}"}


def encoded(payload):
    return json.dumps(payload, separators=(",", ":")).encode()


def write_bodies(folder, make, count):
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(1, count + 1):
        (folder / f"{number:04}.json").write_bytes(make(number))
    return folder
