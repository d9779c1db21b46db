import { execFile } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, mkdtemp, rm, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { atEnd } from "../testing.ts";

const freePort = async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("No port is free.");
  return address.port;
};

/** The programs of the server, which Debian doesn't put on the path. */
const programs = async () => {
  const { stdout } = await promisify(execFile)("pg_config", ["--bindir"]);
  return stdout.trim();
};

/** PostgreSQL refuses to run as root. */
const asServer = (words: string[]): [string, string[]] =>
  userInfo().uid === 0 ? ["runuser", ["-u", "postgres", "--", ...words]] : ["env", words];

const run = async (...words: string[]) => {
  const [program, rest] = asServer(words);
  await promisify(execFile)(program, rest, { cwd: tmpdir() });
};

const serverUser = async () => {
  const { stdout } = await promisify(execFile)("id", ["-u", "postgres"]);
  return Number(stdout);
};

/** A new PostgreSQL cluster without any role but its owner, until the end of the test. */
export const startCluster = async () => {
  const folder = await mkdtemp(join(tmpdir(), "purser-cluster-"));
  await chmod(folder, 0o700);
  if (userInfo().uid === 0) await chown(folder, await serverUser(), (await stat(folder)).gid);
  const [bin, port] = [await programs(), await freePort()];
  const data = join(folder, "data");
  const settings = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -c fsync=off`;
  const log = join(folder, "log");
  atEnd(async () => {
    await run(join(bin, "pg_ctl"), "-D", data, "-m", "immediate", "stop").catch(() => undefined);
    await rm(folder, { recursive: true });
  });
  await run(join(bin, "initdb"), "-D", data, "-U", "admin", "--auth=trust", "--no-sync");
  await run(join(bin, "pg_ctl"), "-D", data, "-l", log, "-w", "-o", settings, "start");
  return `postgres://admin@127.0.0.1:${port}/purser`;
};
