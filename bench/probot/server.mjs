// Probot verifying webhooks and doing nothing more: it stores nothing. Its address is the first line.
import { generateKeyPairSync } from "node:crypto";
import { createServer } from "node:http";
import { Probot, createNodeMiddleware } from "probot";

const { privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs1", format: "pem" },
});
const probot = new Probot({ appId: 1, privateKey, secret: process.env.BENCH_SECRET, logLevel: "error" });
const app = (robot) => {
  robot.on("pull_request.opened", async () => {});
};
const middleware = await createNodeMiddleware(app, { probot, webhooksPath: "/github/webhook" });
const server = createServer(middleware);
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`));
process.on("SIGTERM", () => process.exit(0));
