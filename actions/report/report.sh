#!/usr/bin/env bash
# The inputs of actions/report, which arrive as REPORT_*, made into one call of `baton report`. Exit code 78 (not to
# proceed) is an output here and no failure: GitHub has no neutral end of a step.
set -euo pipefail

NOT_TO_PROCEED=78
scratch=$(mktemp -d "${RUNNER_TEMP:-/tmp}/baton-report-XXXXXX")
trap 'rm -rf "$scratch"' EXIT
arguments=(report "--status=$REPORT_STATUS" "--url=$REPORT_URL" "--timeout=${REPORT_MAX_TIME:-60}s")

# option NAME VALUE: nothing for an input that was not given.
option() {
    if [[ -n $2 ]]; then
        arguments+=("$1=$2")
    fi
}

# each NAME LINES: the option once per line that is not blank.
each() {
    local line
    while IFS= read -r line || [[ -n $line ]]; do
        line=${line#"${line%%[![:space:]]*}"}
        line=${line%"${line##*[![:space:]]}"}
        option "$1" "$line"
    done <<<"$2"
}

# from_text NAME TEXT: through a file of its own, because a list of failed tests is too long for a command line.
from_text() {
    if [[ -n $2 ]]; then
        printf '%s' "$2" >"$scratch/${1#--}.json"
        arguments+=("$1=$scratch/${1#--}.json")
    fi
}

if ! command -v "${REPORT_BATON:-baton}" >/dev/null; then
    echo "::error title=baton report::there is no program ${REPORT_BATON:-baton}; put it on PATH or name it in the input \"baton\""
    printf 'proceed=true\nstatus=no_program\n' >>"$GITHUB_OUTPUT"
    if [[ ${REPORT_STRICT:-false} == true ]]; then
        exit 1
    fi
    exit 0
fi

option --conclusion "$REPORT_CONCLUSION"
option --job-name "${REPORT_JOB_NAME:-}"
option --matrix "${REPORT_MATRIX:-}"
option --check-run-id "${REPORT_CHECK_RUN_ID:-}"
option --test-results "${REPORT_TEST_RESULTS:-}"
option --artifact-url "${REPORT_ARTIFACT_URL:-}"
option --benchmarks "${REPORT_BENCHMARKS:-}"
option --artifacts "${REPORT_ARTIFACTS:-}"
option --audience "${REPORT_AUDIENCE:-}"
each --junit "${REPORT_JUNIT:-}"
each --environment "${REPORT_ENVIRONMENT:-}"
from_text --failed-tests "${REPORT_FAILED_TESTS:-}"
from_text --triage-verdict "${REPORT_TRIAGE_VERDICT:-}"
case ${REPORT_EVENT_TYPE:-} in
nightly | periodic)
    arguments+=("--$REPORT_EVENT_TYPE" "--sha=${REPORT_DELIVERY_ID:-}" "--upstream=${REPORT_UPSTREAM:-}")
    ;;
esac
if [[ ${REPORT_STRICT:-false} == true ]]; then
    arguments+=(--strict)
fi

ended=0
"${REPORT_BATON:-baton}" "${arguments[@]}" || ended=$?
if ((ended == NOT_TO_PROCEED)); then
    exit 0
fi
exit "$ended"
