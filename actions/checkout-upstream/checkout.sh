#!/usr/bin/env bash
# Checks out the upstream commit that an event names. What it is told arrives as UPSTREAM_* and CHECKOUT_* and is checked
# before it is used: most of it was written by whoever opened the pull request.
set -euo pipefail

stop() {
    echo "::error title=checkout-upstream::$*"
    exit 1
}

is_sha() {
    [[ $1 =~ ^[0-9a-f]{40}$ && ! $1 =~ ^0+$ ]]
}

case ${UPSTREAM_EVENT:-} in
pull_request) wanted=${UPSTREAM_PULL_SHA:-} ;;
push) wanted=${UPSTREAM_PUSH_SHA:-} ;;
nightly | periodic) wanted=${UPSTREAM_NIGHTLY_SHA:-} ;;
"") stop "this job was not started by the relay: the event has no client_payload" ;;
*) stop "events of this type name no commit" ;;
esac
is_sha "$wanted" || stop "the event names no commit that could be checked out (a deleted branch has none)"
[[ ${UPSTREAM_REPOSITORY:-} =~ ^[A-Za-z0-9][A-Za-z0-9._-]*/[A-Za-z0-9._-]+$ ]] || stop "the event names no repository"
[[ ${CHECKOUT_DEPTH:-1} =~ ^[0-9]+$ ]] || stop "fetch-depth is a number"
[[ -n ${CHECKOUT_PATH:-} && $CHECKOUT_PATH != -* ]] || stop "path is missing"

# A prompt for a password would wait for ever.
export GIT_TERMINAL_PROMPT=0
tree=$CHECKOUT_PATH
git init --quiet "$tree"
git -C "$tree" config core.hooksPath /dev/null

fetch() { # fetch DEPTH REF
    local history=()
    if (($1 > 0)); then
        history=("--depth=$1")
    fi
    git -C "$tree" fetch --quiet --no-tags "${history[@]}" "${UPSTREAM_SERVER:-https://github.com}/$UPSTREAM_REPOSITORY" "$2"
}

depth=${CHECKOUT_DEPTH:-1}
if [[ $UPSTREAM_EVENT == pull_request ]]; then
    [[ ${UPSTREAM_PULL_NUMBER:-} =~ ^[1-9][0-9]*$ ]] || stop "the event names no pull request"
fi
if [[ $UPSTREAM_EVENT == pull_request && ${CHECKOUT_PULL_REQUEST:-head} == merge ]]; then
    if ((depth == 1)); then
        depth=2 # its parents tell which head was merged
    fi
    fetch "$depth" "refs/pull/$UPSTREAM_PULL_NUMBER/merge" || stop "pull request $UPSTREAM_PULL_NUMBER cannot be merged now"
    merged=$(git -C "$tree" rev-parse --verify --quiet 'FETCH_HEAD^2' || true)
    [[ $merged == "$wanted" ]] || stop "the merge is of ${merged:-another commit}, the event is about $wanted: a newer commit superseded it"
    wanted=$(git -C "$tree" rev-parse FETCH_HEAD)
elif ! fetch "$depth" "$wanted" 2>/dev/null; then
    # Not every server gives out a commit by its name; a pull request's newest one has a ref.
    [[ $UPSTREAM_EVENT == pull_request ]] || stop "$UPSTREAM_REPOSITORY has no commit $wanted any more"
    fetch "$depth" "refs/pull/$UPSTREAM_PULL_NUMBER/head" || stop "pull request $UPSTREAM_PULL_NUMBER is not there"
fi

got=$(git -C "$tree" rev-parse FETCH_HEAD)
[[ $got == "$wanted" ]] || stop "got commit $got, the event is about $wanted: a newer commit superseded it"
git -C "$tree" -c advice.detachedHead=false checkout --quiet --detach "$wanted"
if [[ ${CHECKOUT_SUBMODULES:-false} == true ]]; then
    git -C "$tree" submodule update --quiet --init --recursive --depth 1
fi

printf 'sha=%s\nrepository=%s\n' "$wanted" "$UPSTREAM_REPOSITORY" >>"${GITHUB_OUTPUT:-/dev/null}"
echo "checked out $UPSTREAM_REPOSITORY at $wanted"
