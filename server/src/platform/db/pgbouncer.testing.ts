import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { patiently } from "../../patience.testing.ts";
import { atEnd } from "../../testing.ts";

const freePort = async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("No port is free.");
  return address.port;
};

// PgBouncer refuses to run as root.
const nobody = { uid: 65_534, gid: 65_534 };

type Mode = "session" | "transaction";
type Bouncer = { mode: Mode; login: string; databaseUrl: string };

const configuration = ({ mode, databaseUrl }: Bouncer, port: number, folder: string) => {
  const { hostname, port: serverPort } = new URL(databaseUrl);
  return `[databases]
* = host=${hostname} port=${serverPort || 5432}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${join(folder, "users.txt")}
pool_mode = ${mode}
${mode === "transaction" ? "default_pool_size = 2" : ""}
server_idle_timeout = 1
`;
};

const isUp = async (url: string) => {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  const answered = await client.connect().then(
    () => true,
    () => false,
  );
  await client.end().catch(() => undefined);
  return answered;
};

/** Starts PgBouncer in front of this database until the end of the test, and returns the URL for the login. */
export const startBouncer = async (bouncer: Bouncer) => {
  const folder = await mkdtemp(join(tmpdir(), "purser-pgbouncer-"));
  await chmod(folder, 0o755);
  const port = await freePort();
  const file = join(folder, "pgbouncer.ini");
  await writeFile(file, configuration(bouncer, port, folder));
  await writeFile(join(folder, "users.txt"), `"${bouncer.login}" ""\n`);
  const child = spawn("pgbouncer", [file], {
    ...(process.getuid?.() === 0 && nobody),
    env: { PATH: `${process.env["PATH"]}:/usr/sbin` },
    stdio: "ignore",
  });
  const exited = once(child, "exit");
  atEnd(async () => {
    child.kill("SIGKILL");
    await exited;
    await rm(folder, { recursive: true });
  });
  const url = new URL(bouncer.databaseUrl);
  url.hostname = "127.0.0.1";
  url.port = String(port);
  url.username = bouncer.login;
  const endsAt = performance.now() + patiently(10_000);
  while (!(await isUp(url.href))) {
    if (child.exitCode !== null || performance.now() > endsAt)
      throw new Error("PgBouncer did not start.");
    await setTimeout(20);
  }
  return url.href;
};
