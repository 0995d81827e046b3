// What GitHub says its API is like, as something that can be asked: does this request fit, does this answer?

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import Ajv from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

import { keysOf } from './prune.mjs';

/** Answers that any endpoint may give, whether the description lists them or not: credentials, limits, trouble. */
const ANYWHERE = new Set([401, 403, 404, 429, 500, 502, 503]);
const MOVED = new Set([301, 307]);
/** Other forms than JSON that GitHub documents beside the description. */
const OTHER_FORMS = {
    '/repos/{owner}/{repo}/contents/{path}': 'application/vnd.github.raw+json',
    '/repos/{owner}/{repo}/commits/{ref}': 'application/vnd.github.sha',
};

/** OpenAPI 3.0 says `nullable: true` where JSON Schema says "or null". */
export function withNulls(node) {
    if (Array.isArray(node)) {
        return node.map(withNulls);
    }
    if (node === null || typeof node !== 'object') {
        return node;
    }
    const { nullable, ...rest } = node;
    const out = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, withNulls(value)]));
    return nullable === true ? { anyOf: [{ type: 'null' }, out] } : out;
}

/** Where the description contradicts itself, and what GitHub really does is known. */
function corrected(document) {
    // The list says that an account is a user and an enterprise at once; everywhere else it is one of them.
    const list = document.paths['/app/installations'].get.responses['200'].content['application/json'].schema;
    list.items = { $ref: '#/components/schemas/installation' };
    return document;
}

/** The same for webhooks. */
function correctedWebhooks(document) {
    // A suite's App cannot have `merge_group` among its events there, which every other place lets it have.
    const { check_suite } = document.components.schemas['webhook-check-suite-rerequested'].properties;
    check_suite.properties.app.properties.events.items.enum.push('merge_group');
    return document;
}

const typeOf = (contentType) => (contentType ?? '').split(';')[0].trim().toLowerCase();

/** A pointer into the document, as Ajv wants it in a `$ref`. */
function pointer(keys) {
    const escape = (key) => encodeURIComponent(String(key).replaceAll('~', '~0').replaceAll('/', '~1'));
    return `#/${keys.map(escape).join('/')}`;
}

export class Description {
    constructor(document) {
        this.document = withNulls(document);
        this.ajv = new Ajv({ strict: false, allErrors: true, logger: false });
        addFormats(this.ajv);
        this.ajv.addSchema(this.document, 'description');
        this.compiled = new Map();
    }

    static named(name) {
        const folder = process.env.BATON_CONFORMANCE ?? join(import.meta.dirname, '../../../build/conformance');
        const document = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
        return new Description(name === 'rest' ? corrected(document) : correctedWebhooks(document));
    }

    /** What does not fit, in words; empty when all of it does. */
    misfits(keys, value) {
        const ref = `description${pointer(keys)}`;
        if (!this.compiled.has(ref)) {
            this.compiled.set(ref, this.ajv.compile({ $ref: ref }));
        }
        const check = this.compiled.get(ref);
        return check(value) ? [] : check.errors.map((error) => `${error.instancePath || '/'} ${error.message}`);
    }

    /** Follows one reference, and says where that leads. */
    resolved(keys) {
        const node = keys.reduce((at, key) => at?.[key], this.document);
        return node?.$ref ? this.resolved(keysOf(node.$ref)) : { keys, node };
    }

    /** The operation that a request means: its template, and the values of the names in it; or undefined. */
    operation(method, path) {
        const asked = path.replace(/^\/repositories\/\d+/, '/repos/by/id').split('/');
        const fits = (template) => {
            const wanted = template.split('/');
            const last = wanted.length - 1;
            // A path, a ref and a branch may have slashes in them.
            const open = /^\{(path|ref|branch)\}$/.test(wanted[last]);
            if (open ? asked.length < wanted.length : asked.length !== wanted.length) {
                return false;
            }
            return wanted.every((part, i) => part.startsWith('{') ? asked[i] !== '' : part === asked[i]);
        };
        const words = (template) => template.split('/').filter((part) => !part.startsWith('{')).length;
        const found = Object.keys(this.document.paths).filter(fits).sort((a, b) => words(b) - words(a))[0];
        const operation = found && this.document.paths[found][method.toLowerCase()];
        return operation ? { template: found, method: method.toLowerCase(), operation } : undefined;
    }

    /** What GitHub would object to in a request: { method, path, query, headers, body }. */
    requestMisfits(request) {
        const found = this.operation(request.method, request.path);
        if (!found) {
            return [`no such operation: ${request.method} ${request.path}`];
        }
        return [
            ...headMisfits(request, found),
            ...this.queryMisfits(request, found),
            ...this.bodyMisfits(request, found),
        ];
    }

    queryMisfits(request, { template, method, operation }) {
        const out = [];
        const known = new Map();
        (operation.parameters ?? []).forEach((_, i) => {
            const { keys, node } = this.resolved(['paths', template, method, 'parameters', i]);
            if (node.in === 'query') {
                known.set(node.name, [...keys, 'schema']);
            }
        });
        for (const [name, text] of new URLSearchParams(request.query ?? '')) {
            const schema = known.get(name);
            if (!schema) {
                out.push(`no query parameter "${name}"`);
                continue;
            }
            const number = this.resolved(schema).node.type === 'integer' && /^-?\d+$/.test(text);
            out.push(...this.misfits(schema, number ? Number(text) : text).map((each) => `?${name}: ${each}`));
        }
        return out;
    }

    bodyMisfits(request, { template, method, operation }) {
        const text = request.body ?? '';
        if (!operation.requestBody) {
            return text === '' ? [] : ['a body, where none is described'];
        }
        if (text === '') {
            return operation.requestBody.required ? ['no body'] : [];
        }
        const type = typeOf(request.headers['content-type']);
        if (!operation.requestBody.content[type]) {
            return [`a body of type "${type}"`];
        }
        const schema = ['paths', template, method, 'requestBody', 'content', type, 'schema'];
        let body;
        try {
            body = JSON.parse(text);
        } catch (error) {
            return [`the body is no JSON: ${error.message}`];
        }
        // GitHub ignores a field that it does not know; we would not notice a typing mistake.
        const fields = Object.keys(this.resolved(schema).node.properties ?? {});
        const unknown = Object.keys(body).filter((name) => !fields.includes(name));
        return [...unknown.map((name) => `no field "${name}"`), ...this.misfits(schema, body)];
    }

    /** What is wrong with an answer to that request: { status, headers, body }. */
    answerMisfits(request, answer) {
        const found = this.operation(request.method, request.path);
        if (!found) {
            return answer.status === 404 ? [] : [`${answer.status} from an operation that is not described`];
        }
        const { template, method, operation } = found;
        const text = answer.body ?? '';
        const out = limitHeaderMisfits(answer);
        if (answer.status === 304) { // to any GET with a mark, described or not
            return text === '' && method === 'get' ? out : [...out, 'a 304 with a body, or to a change'];
        }
        if (!operation.responses[answer.status]) {
            const usual = ANYWHERE.has(answer.status) || MOVED.has(answer.status);
            const body = jsonOf(text);
            return usual ? [...out, ...this.misfits(['components', 'schemas', 'basic-error'], body)]
                         : [...out, `status ${answer.status} is not described`];
        }
        const { keys, node } = this.resolved(['paths', template, method, 'responses', answer.status]);
        const forms = Object.keys(node.content ?? {});
        if (forms.length === 0) {
            return text === '' ? out : [...out, 'a body, where none is described'];
        }
        const type = typeOf(answer.headers['content-type']);
        if (type === OTHER_FORMS[template]) {
            return out;
        }
        if (type !== 'application/json') {
            return [...out, `an answer of type "${type}"`];
        }
        const form = forms.includes(type) ? type : forms[0];
        return [...out, ...this.misfits([...keys, 'content', form, 'schema'], jsonOf(text))];
    }
}

/** What GitHub asks of every request: a name, a version, a credential, and a form that it can give. */
function headMisfits(request, { template }) {
    const out = [];
    const { headers } = request;
    if (!headers['user-agent']) {
        out.push('no User-Agent; GitHub refuses such requests');
    }
    if (!/^(bearer|token) \S+$/i.test(headers.authorization ?? '')) {
        out.push('no credential');
    }
    if (headers['x-github-api-version'] !== undefined && headers['x-github-api-version'] !== '2022-11-28') {
        out.push(`API version "${headers['x-github-api-version']}"`);
    }
    const accepted = (headers.accept ?? '').split(',').map(typeOf);
    const good = ['application/vnd.github+json', 'application/vnd.github.v3+json', 'application/json', OTHER_FORMS[template]];
    if (!accepted.some((type) => good.includes(type))) {
        out.push(`Accept: "${headers.accept ?? ''}"`);
    }
    return out;
}

/** "The headers that are sent with each response". */
function limitHeaderMisfits(answer) {
    const names = ['limit', 'remaining', 'used', 'reset'];
    const out = names.filter((name) => !/^\d+$/.test(answer.headers[`x-ratelimit-${name}`] ?? ''))
        .map((name) => `no x-ratelimit-${name}`);
    return answer.headers['x-ratelimit-resource'] === 'core' ? out : [...out, 'no x-ratelimit-resource'];
}

function jsonOf(text) {
    try {
        return JSON.parse(text);
    } catch {
        return undefined; // fits no schema
    }
}
