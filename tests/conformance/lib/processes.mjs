// Real processes on loopback: `baton sim` and `baton serve`, each on a port of its own.

import { execFileSync, spawn } from 'node:child_process';
import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';

const BATON = process.env.BATON ?? join(import.meta.dirname, '../../../build/release/bin/baton');
const START_MS = 60_000;
export const APP_ID = 12345;
export const SECRET = 'a webhook secret';

/** A folder that is gone when the test is over. */
export function temporaryFolder(test) {
    const folder = mkdtempSync(join(tmpdir(), 'baton-conformance-'));
    test.after(() => rmSync(folder, { recursive: true, force: true }));
    return folder;
}

/** Starts it, waits for the first line, and ends it with the test. Resolves to { url, log, stop }. */
async function started(test, args) {
    const child = spawn(BATON, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const notes = [];
    child.stderr.on('data', (chunk) => notes.push(chunk));
    const log = () => Buffer.concat(notes).toString();
    const ended = once(child, 'exit');
    const stop = async () => {
        child.kill('SIGTERM');
        await ended;
    };
    test.after(stop);
    const signal = AbortSignal.timeout(START_MS);
    const [line] = await Promise.race([
        once(createInterface({ input: child.stdout }), 'line', { signal }),
        ended.then(() => { throw new Error(`baton ${args[0]} ended before it listened:\n${log()}`); }),
    ]);
    return { url: line.match(/http:\/\/\S+/)?.[0] ?? line, log, stop };
}

/** The simulator, with a key for its App and a hand on its control API. */
export async function startSim(test, more = []) {
    const folder = temporaryFolder(test);
    const key = join(folder, 'app.pem');
    const { url } = await started(test, ['sim', '--make-key', key, '--app-id', String(APP_ID), ...more]);
    const order = async (method, path, body) => {
        const reply = await fetch(`${url}/_sim${path}`, { method, body: body && JSON.stringify(body) });
        const text = await reply.text();
        if (!reply.ok) {
            throw new Error(`${method} /_sim${path}: ${text}`);
        }
        return JSON.parse(text);
    };
    return { url, privateKey: readFileSync(key, 'utf8'), keyFile: key, order };
}

/** A server is at hand (tests/support/postgres_server.py), or stores are files. */
export const STORE_KIND = process.env.BATON_TEST_POSTGRES ? 'postgresql' : 'sqlite';
const databases = new Set();

/** What `store:` says for a relay with that folder: a file there, or a database of its own. */
export function storeIn(folder) {
    if (STORE_KIND === 'sqlite') {
        return 'sqlite:baton.db';
    }
    const server = process.env.BATON_TEST_POSTGRES;
    const name = basename(folder);
    if (!databases.has(name)) {
        databases.add(name);
        execFileSync('psql', ['-X', '-q', server.replace('{}', 'postgres'), '-c', `CREATE DATABASE "${name}"`]);
    }
    return server.replace('{}', name);
}

/**
 * A relay for one upstream, over the store of an earlier one if its `folder` is given. Resolves to
 * { url, log, stop, folder }.
 */
export async function startRelay(test, plan) {
    const { apiUrl, keyFile, upstream, allowlist, upstreamMore = '', more = '', folder = temporaryFolder(test) } = plan;
    writeFileSync(join(folder, 'secret'), SECRET);
    writeFileSync(join(folder, 'baton.yml'), `
listen: "127.0.0.1:0"
store: "${storeIn(folder)}"
github:
  api_url: "${apiUrl}"
  app_id: ${APP_ID}
  private_key: {file: ${keyFile}}
  webhook_secrets: [{file: secret}]
upstreams:
  - repo: ${upstream}
    allowlist: "${allowlist}"
${upstreamMore}
${more}`);
    return { folder, ...await started(test, ['serve', '--config', join(folder, 'baton.yml')]) };
}

/** Makes a stopped relay forget four days: it last looked at the delivery log before the log's first line. */
export function ageStore(folder) {
    const sql = 'UPDATE walk SET born_ms = born_ms - 345600000, until_ms = until_ms - 345600000,'
        + ' ended_at_ms = ended_at_ms - 345600000';
    if (STORE_KIND === 'postgresql') {
        execFileSync('psql', ['-X', '-q', storeIn(folder), '-c', sql]);
        return;
    }
    const script = 'import sqlite3, sys; store = sqlite3.connect(sys.argv[1]); store.execute(sys.argv[2]); store.commit()';
    execFileSync('python3', ['-c', script, join(folder, 'baton.db'), sql]);
}

/** Posts a signed webhook as GitHub does. */
export async function postWebhook(url, event, payload, delivery = randomUUID()) {
    const body = JSON.stringify(payload);
    const reply = await fetch(`${url}/github/webhook`, {
        method: 'POST',
        headers: {
            'content-type': 'application/json',
            'user-agent': 'GitHub-Hookshot/conformance',
            'x-github-delivery': delivery,
            'x-github-event': event,
            'x-hub-signature-256': `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`,
        },
        body,
    });
    return { delivery, status: reply.status, type: reply.headers.get('content-type'), text: await reply.text() };
}

/** Looks again until it holds; an error that says what was waited for when it does not in time. */
export async function eventually(what, holds, withinMs = 120_000) {
    const deadline = Date.now() + withinMs;
    for (;;) {
        if (await holds()) {
            return;
        }
        if (Date.now() > deadline) {
            throw new Error(`waited in vain: ${what}`);
        }
        await new Promise((resolve) => setTimeout(resolve, 20)); // another process works meanwhile
    }
}
