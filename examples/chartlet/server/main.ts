import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { createEntitlements } from "./entitlements.ts";
import { createRoutes, introduceAll } from "./routes.ts";
import { createSales } from "./sales.ts";
import { openStore } from "./store.ts";

const setting = (name: string) => {
  const value = process.env[name];
  if (!value) throw new Error(`Set ${name}. The README says where it comes from.`);
  return value;
};

const url = setting("PURSER");
const folder = setting("CHARTLET_DATA");
mkdirSync(folder, { recursive: true });
const store = openStore(join(folder, "chartlet.sqlite"));
const entitlements = createEntitlements({ url, key: setting("PURSER_KEY") }, store);
const sales = createSales({ url, key: setting("PURSER_SERVICE_KEY") }, store);
const parts = { store, entitlements, sales, webhookSecret: setting("WEBHOOK_SECRET") };

const pages = new URL("../dist", import.meta.url).pathname;
const types: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
};

/** The built page. Paths without a file are places within it. */
const fileOf = (path: string) => {
  const file = join(pages, normalize(path));
  return extname(file) in types && existsSync(file) ? file : join(pages, "index.html");
};

const route = createRoutes(parts);
const server = createServer(async (request, response) => {
  if (await route(request, response)) return;
  const file = fileOf(new URL(request.url ?? "/", "http://localhost").pathname);
  response.writeHead(200, { "content-type": types[extname(file)] }).end(readFileSync(file));
});

await entitlements.restore();
// Users who signed up while Purser couldn't be reached.
const timer = setInterval(() => void introduceAll(parts), 5000);
const port = Number(process.env["PORT"] ?? 4000);
server.listen(port, "127.0.0.1", () =>
  process.stdout.write(`Chartlet is running at http://localhost:${port}\n`),
);

let isStopping = false;
const stop = async () => {
  // A terminal sends Ctrl C to all processes, and `npm run example` ends this one too.
  if (isStopping) return;
  isStopping = true;
  clearInterval(timer);
  server.close();
  server.closeAllConnections();
  await entitlements.close();
  store.close();
  process.exit();
};
process.on("SIGINT", stop);
process.on("SIGTERM", stop);
