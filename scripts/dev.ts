import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline/promises";
import { SMTPServer } from "smtp-server";
import { ensureEnvironment, pathOf, purser } from "./environment.ts";

const webAddress = "http://localhost:5173";

// Long lines are quoted-printable, which would break links.
const readable = (mail: string) =>
  mail
    .replace(/=\r?\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

// Emails of the development server are printed here instead of being sent.
const showMails = () => {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData: async (stream, _session, done) => {
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(Buffer.from(chunk));
      console.log(`\n--- email ---\n${readable(Buffer.concat(chunks).toString())}\n------------`);
      done();
    },
  });
  server.on("error", (error) => console.warn(`Emails are not shown: ${error.message}`));
  server.listen(2525, "127.0.0.1");
  return server;
};

const offerDemoData = async () => {
  if (!process.stdin.isTTY) {
    console.log("Run `npm run seed` for demo data, or `npm run setup` to also create an owner.");
    return;
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question("Load demo data and create a demo owner? [y/N] ");
  terminal.close();
  if (!/^y/i.test(answer)) return;
  purser("seed");
  purser("create-owner", "--email", "owner@example.com", "--name", "Demo Owner");
};

// The browser uses Vite's address, which proxies API calls.
const start = (...words: string[]): ChildProcess =>
  spawn(process.execPath, words, {
    cwd: pathOf("."),
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, PUBLIC_URL: webAddress },
  });

ensureEnvironment();
process.loadEnvFile(pathOf(".env"));
process.env["API_URL"] = `http://127.0.0.1:${process.env["PORT"] ?? 3000}`;
process.env["PUBLIC_URL"] = webAddress;
purser("migrate");
await offerDemoData();
const mails = showMails();
const children = [
  start("--env-file-if-exists=.env", "--watch", "server/src/main.ts", "serve", "--work"),
  start("node_modules/vite/bin/vite.js", "web", "--port", "5173", "--strictPort"),
];
console.log(`\nPurser is running at ${webAddress}\n`);
await Promise.race([
  once(process, "SIGINT"),
  once(process, "SIGTERM"),
  ...children.map((child) => once(child, "exit")),
]);
for (const child of children) child.kill("SIGTERM");
mails.close();
