import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { freePort } from "../setup/processes.ts";

const base = "/usr/lib/postgresql";

/** The newest PostgreSQL that Debian's packages installed. */
const binaries = () => {
  const [newest] = readdirSync(base).sort((a, b) => Number(b) - Number(a));
  return join(base, newest ?? "", "bin");
};

/** PostgreSQL refuses to run as root. */
const asPostgres = (program: string, args: string[]) =>
  execFileSync("runuser", ["-u", "postgres", "--", join(binaries(), program), ...args], {
    stdio: ["ignore", "ignore", "inherit"],
  });

export const newFolder = (purpose: string) => {
  const folder = mkdtempSync(join(tmpdir(), `purser-drill-${purpose}-`));
  execFileSync("chown", ["postgres", folder]);
  chmodSync(folder, 0o700);
  return folder;
};

const common = `
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
shared_buffers = 128MB
max_connections = 60
wal_level = replica
max_wal_senders = 4
hot_standby = on
logging_collector = on
log_filename = 'drill.log'
`;

const trustful = "host all all 127.0.0.1/32 trust\nhost replication all 127.0.0.1/32 trust\n";

const isReady = async (port: string) => {
  const client = new pg.Client({
    host: "127.0.0.1",
    port: Number(port),
    user: "postgres",
    database: "postgres",
  });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
};

const start = async (folder: string, port: string) => {
  const child = spawn(
    "runuser",
    ["-u", "postgres", "--", join(binaries(), "postgres"), "-D", folder, "-p", port],
    { stdio: "ignore", detached: true },
  );
  const ended = once(child, "exit");
  const startedAt = performance.now();
  while (!(await isReady(port))) {
    if (child.exitCode !== null) throw new Error(`PostgreSQL in ${folder} didn't start.`);
    if (performance.now() - startedAt > 120_000)
      throw new Error("PostgreSQL didn't start in time.");
    await wait(100);
  }
  const signal = async (name: NodeJS.Signals) => {
    // The whole group: runuser, the server and its processes.
    process.kill(-(child.pid ?? 0), name);
    await ended;
  };
  let isRunning = true;
  const end = (name: NodeJS.Signals) => async () => {
    if (!isRunning) return;
    isRunning = false;
    await signal(name);
  };
  const url = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`;
  return {
    folder,
    port,
    url,
    query: async <Row extends object>(text: string, database = "postgres") => {
      const client = new pg.Client({ connectionString: url(database) });
      await client.connect();
      const { rows } = await client.query<Row>(text);
      await client.end();
      return rows;
    },
    /** Ends every process at once, like a machine that loses power. */
    kill: end("SIGKILL"),
    stop: end("SIGINT"),
    promote: () => asPostgres("pg_ctl", ["promote", "-D", folder, "-w"]),
    [Symbol.asyncDispose]: async () => {
      await end("SIGKILL")();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
export type Cluster = Awaited<ReturnType<typeof start>>;

// A missing column, a refused value, or a lock that another session holds.
const refusals = /does not exist|violates|must not change|deadlock|lock timeout|statement timeout/;

/** The first statements that the database refused, with the reasons. */
export const refusedIn = ({ folder }: Cluster) =>
  readFileSync(join(folder, "log/drill.log"), "utf8")
    .split(/^(?=\S.*? (?:ERROR|LOG|FATAL|WARNING): )/m)
    .filter((entry) => / ERROR: /.test(entry) && refusals.test(entry))
    .slice(0, 5);

/** A new cluster, with more settings if needed. */
export const startCluster = async (settings = "") => {
  const folder = newFolder("cluster");
  asPostgres("initdb", ["-D", folder, "-A", "trust", "-U", "postgres", "--no-sync"]);
  appendFileSync(join(folder, "postgresql.conf"), `${common}${settings}`);
  writeFileSync(join(folder, "pg_hba.conf"), trustful);
  return start(folder, await freePort());
};

/** A copy of a running cluster, which follows it if `isStandby`. */
export const copyCluster = async (
  { port }: Cluster,
  { isStandby = false, name = "copy", settings = "" },
) => {
  const folder = newFolder("copy");
  const source = `host=127.0.0.1 port=${port} user=postgres application_name=${name}`;
  asPostgres("pg_basebackup", [
    "-D",
    folder,
    "-d",
    source,
    "-c",
    "fast",
    "--no-sync",
    ...(isStandby ? ["-R"] : []),
  ]);
  appendFileSync(join(folder, "postgresql.conf"), settings);
  return { folder, start: async () => start(folder, await freePort()) };
};

/** Starts a restored folder, which recovers to its target. */
export const startRestored = async (folder: string, settings: string) => {
  appendFileSync(join(folder, "postgresql.conf"), settings);
  writeFileSync(join(folder, "recovery.signal"), "");
  execFileSync("chown", ["postgres", join(folder, "recovery.signal")]);
  return start(folder, await freePort());
};
