// A webhook endpoint that only remembers.

import { createServer } from 'node:http';

export async function startInbox(test) {
    const letters = [];
    const server = createServer((request, response) => {
        const chunks = [];
        request.on('data', (chunk) => chunks.push(chunk));
        request.on('end', () => {
            letters.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
            response.writeHead(202, { 'content-type': 'application/json' });
            response.end('{}');
        });
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    test.after(() => new Promise((resolve) => {
        server.closeAllConnections();
        server.close(resolve);
    }));
    return { url: `http://127.0.0.1:${server.address().port}/github/webhook`, letters };
}
