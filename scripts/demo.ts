import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { ownStore } from "./builds.ts";
import { ensureEnvironment, node, pathOf } from "./environment.ts";

// The demo company on this machine, with everything that it needs: settings, tables, demo data and pages.
ensureEnvironment();
if (!existsSync(`${ownStore}/builds/latest.json`)) {
  console.log("Building the pages, once. This takes about a minute.");
  node("node_modules/vite/bin/vite.js", "build", "web", "--logLevel", "warn");
  node("scripts/finishBuild.ts");
}

const quiet = ["--disable-warning=ExperimentalWarning", "--env-file-if-exists=.env"];
const server = spawn(process.execPath, [...quiet, "server/src/main.ts", "demo"], {
  cwd: pathOf("."),
  stdio: "inherit",
  // Only warnings, so that the link is easy to find.
  env: { LOG_LEVEL: "warn", ...process.env, ENVIRONMENT: "test" },
});
// A terminal sends Ctrl C to both processes, and this one has to wait for the other.
process.on("SIGINT", () => undefined);
process.on("SIGTERM", () => server.kill("SIGTERM"));
const [code] = await once(server, "exit");
process.exitCode = code ?? 1;
