// Requests and answers that are compared with the description as they pass.

import { createServer } from 'node:http';

/** Everything that passed, and everything that did not fit. */
export class Record {
    constructor(description) {
        this.description = description;
        this.exchanges = [];
        this.misfits = [];
    }

    add(request, answer, { requestFits = true } = {}) {
        const found = this.description.operation(request.method, request.path);
        const name = `${request.method} ${found?.template ?? request.path}`;
        this.exchanges.push({ name, status: answer.status, request, answer });
        const wrong = [
            ...(requestFits ? this.description.requestMisfits(request).map((each) => `request: ${each}`) : []),
            ...this.description.answerMisfits(request, answer).map((each) => `answer: ${each}`),
        ];
        this.misfits.push(...wrong.map((each) => `${name} -> ${answer.status}: ${each}`));
    }

    /** "GET /app 200", each once, in order. */
    get seen() {
        return [...new Set(this.exchanges.map(({ name, status }) => `${name} ${status}`))].sort();
    }
}

/** Asks the simulator and compares. `requestFits: false` for requests that are wrong on purpose. */
export async function ask(record, base, method, target, { headers = {}, body, requestFits = true } = {}) {
    const url = new URL(base + target);
    const sent = {
        accept: 'application/vnd.github+json',
        'user-agent': 'baton-conformance',
        'x-github-api-version': '2022-11-28',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
    };
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const reply = await fetch(url, { method, headers: sent, body: text, redirect: 'manual' });
    const answer = { status: reply.status, headers: Object.fromEntries(reply.headers), body: await reply.text() };
    const request = { method, path: url.pathname, query: url.search.slice(1), headers: sent, body: text ?? '' };
    record.add(request, answer, { requestFits });
    return { ...answer, json: () => JSON.parse(answer.body) };
}

async function bytesOf(stream) {
    const chunks = [];
    for await (const chunk of stream) {
        chunks.push(chunk);
    }
    return Buffer.concat(chunks);
}

/** What a proxy must not pass on: it is about one connection. */
const HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'host']);
const passedOn = (headers) => Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP.has(name)));

/**
 * A proxy between Baton and the simulator that writes everything into `record`. Addresses that the simulator puts into
 * Link and Location are turned into the proxy's, so that whoever follows them comes by again. `twist(answer)` may spoil
 * an answer on its way.
 */
export async function startProxy(record, target, twist = (answer) => answer) {
    let base = '';
    const server = createServer(async (incoming, outgoing) => {
        try {
            const sent = await bytesOf(incoming);
            const url = new URL(incoming.url, target);
            const reply = await fetch(url, {
                method: incoming.method,
                headers: passedOn(incoming.headers),
                body: sent.length > 0 ? sent : undefined,
                redirect: 'manual',
            });
            const body = Buffer.from(await reply.arrayBuffer());
            const heard = { status: reply.status, headers: Object.fromEntries(reply.headers), body: body.toString() };
            const answer = twist(heard, incoming);
            record.add({
                method: incoming.method,
                path: url.pathname,
                query: url.search.slice(1),
                headers: incoming.headers,
                body: sent.toString(),
            }, answer);
            const headers = passedOn(answer.headers);
            for (const name of ['link', 'location']) {
                if (headers[name]) {
                    headers[name] = headers[name].replaceAll(target, base);
                }
            }
            outgoing.writeHead(answer.status, headers);
            outgoing.end(answer.status === 204 || answer.status === 304 ? undefined : answer.body);
        } catch (error) {
            record.misfits.push(`the proxy could not pass ${incoming.method} ${incoming.url} on: ${error.message}`);
            outgoing.destroy();
        }
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${server.address().port}`;
    const stop = () => new Promise((resolve) => {
        server.closeAllConnections();
        server.close(resolve);
    });
    return { url: base, stop };
}
