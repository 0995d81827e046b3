// Cuts an OpenAPI document down to some of its operations and everything they refer to.

const PROSE = new Set(['description', 'example', 'examples', 'externalDocs', 'summary', 'tags', 'title']);

/** Without words for people. Below `properties` every key is a name, "description" too. */
function bare(node, namesBelow = false) {
    if (Array.isArray(node)) {
        return node.map((each) => bare(each));
    }
    if (node === null || typeof node !== 'object') {
        return node;
    }
    const out = {};
    for (const [key, value] of Object.entries(node)) {
        if (namesBelow || !PROSE.has(key)) {
            out[key] = bare(value, !namesBelow && key === 'properties');
        }
    }
    return out;
}

/** Every `$ref` in there. */
function* refsIn(node) {
    if (node === null || typeof node !== 'object') {
        return;
    }
    for (const [key, value] of Object.entries(node)) {
        if (key === '$ref' && typeof value === 'string') {
            yield value;
        } else {
            yield* refsIn(value);
        }
    }
}

/** `#/components/schemas/x` as keys. */
export function keysOf(ref) {
    return ref.slice(2).split('/').map((key) => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The document with the operations of `source.keep` in `source.section`, and what they need. */
export function pruned(document, source) {
    const out = { openapi: document.openapi, info: { version: source.version }, [source.section]: {}, components: {} };
    const wanted = [];
    for (const [path, methods] of Object.entries(source.keep)) {
        const operations = document[source.section][path];
        if (!operations) {
            throw new Error(`${source.package} ${source.version} does not know ${path}`);
        }
        out[source.section][path] = {};
        for (const method of methods) {
            if (!operations[method]) {
                throw new Error(`${source.package} ${source.version} does not know ${method} ${path}`);
            }
            const operation = bare(operations[method]);
            out[source.section][path][method] = operation;
            wanted.push(...refsIn(operation));
        }
    }
    // What answers may look like on any path stays too.
    wanted.push('#/components/schemas/basic-error');
    while (wanted.length > 0) {
        const keys = keysOf(wanted.pop());
        const [, kind, name] = keys;
        const found = document.components[kind]?.[name];
        if (found === undefined || out.components[kind]?.[name] !== undefined) {
            continue;
        }
        out.components[kind] ??= {};
        out.components[kind][name] = bare(found);
        wanted.push(...refsIn(out.components[kind][name]));
    }
    return out;
}
