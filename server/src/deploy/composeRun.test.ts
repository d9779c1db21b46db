import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startCluster } from "../commands/cluster.testing.ts";
import { exitOf, startProcess } from "../commands/testing.ts";
import { patiently } from "../patience.testing.ts";
import { makeStore } from "../platform/http/pages/releaseStore.testing.ts";
import { isNightly } from "../runs.testing.ts";
import { atEnd } from "../testing.ts";
import { composeServices } from "./compose.testing.ts";
import { read } from "./facts.testing.ts";

const root = new URL("../../../", import.meta.url).pathname;
const { folder: store } = makeStore();

const services = composeServices(read("deploy/compose.yaml"));
const port = "3917";

/** Only nightly: it creates a cluster and loads the demo company. The gate reads the file (deploy.test.ts). */
test.runIf(isNightly)(
  "the compose file's commands load the demo company and print a link that signs in",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "purser-compose-"));
    atEnd(async () => rmSync(folder, { recursive: true }));
    const cluster = new URL(await startCluster());
    execFileSync(
      process.execPath,
      ["deploy/makeSecrets.ts", folder, "--database-host", cluster.host],
      { cwd: root },
    );
    const words = ["owner_password", "login_password"].flatMap((name) => ["-v", `${name}=secret`]);
    execFileSync("psql", [
      `postgres://admin@${cluster.host}/postgres`,
      ...["-q", "-v", "ON_ERROR_STOP=1", ...words, "-f", join(root, "deploy/postgres/roles.sql")],
    ]);

    const start = (name: string) => {
      const { command = [], environment } = services[name] ?? { environment: {} };
      const settings = Object.entries(environment).map(([variable, value]) => [
        variable,
        value.replace("/run/secrets/purser", folder),
      ]);
      return startProcess(command, {
        PATH: process.env["PATH"],
        ...Object.fromEntries(settings),
        // The addresses of this machine instead of the containers'.
        REDIS_URL: process.env["TEST_REDIS_URL"] ?? "redis://127.0.0.1:6379/15",
        METRICS_PORT: undefined,
        HOST: "127.0.0.1",
        PORT: port,
        PUBLIC_URL: `http://localhost:${port}`,
        RELEASE_STORE: store,
        // A busy machine isn't what this test looks for.
        OVERLOAD_DELAY_MS: "0",
      });
    };
    for (const name of ["migrate", "seed"]) {
      const { child, printed } = start(name);
      expect(await exitOf(child), printed.join("")).toBe(0);
    }
    const { child, said, printed } = start("server");
    const link = await said(/^(http:\S+demo-sign-in\S+)$/m);
    const open = () => fetch(link.replace("localhost", "127.0.0.1"), { redirect: "manual" });
    const opened = await open();
    expect(opened.status, printed.join("") + (await opened.text())).toBe(303);
    const cookie = opened.headers.get("set-cookie")?.split(";")[0] ?? "";
    const session = await fetch(`http://127.0.0.1:${port}/api/session`, { headers: { cookie } });
    expect(await session.json()).toMatchObject({ role: "owner" });
    expect((await open()).status).toBe(410);
    child.kill("SIGINT");
    expect(await exitOf(child)).toBe(0);
  },
  patiently(240_000),
);
