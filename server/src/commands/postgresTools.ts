import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Environment } from "../environmentFiles.ts";
import { UsageError } from "./command.ts";

/** Parameters of a connection URL and the variables of PostgreSQL's own tools. */
const variableOf: Record<string, string> = {
  host: "PGHOST",
  port: "PGPORT",
  user: "PGUSER",
  password: "PGPASSWORD",
  sslmode: "PGSSLMODE",
  sslrootcert: "PGSSLROOTCERT",
  sslcert: "PGSSLCERT",
  sslkey: "PGSSLKEY",
  options: "PGOPTIONS",
  target_session_attrs: "PGTARGETSESSIONATTRS",
};

export const databaseNameOf = (url: string) => decodeURIComponent(new URL(url).pathname.slice(1));

/** The connection as variables, because every user of the machine can read the arguments of a process. */
export const toolEnvironment = (url: string): Record<string, string> => {
  const { hostname, port, username, password, searchParams } = new URL(url);
  const named = Object.entries(variableOf).flatMap(([parameter, variable]) => {
    const value = searchParams.get(parameter);
    return value ? [[variable, value] as const] : [];
  });
  const parts = {
    // An IPv6 address has brackets only in URLs.
    PGHOST: decodeURIComponent(hostname).replace(/^\[(.*)\]$/, "$1"),
    PGPORT: port,
    PGUSER: decodeURIComponent(username),
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: databaseNameOf(url),
  };
  const given = Object.entries(parts).filter(([, value]) => value !== "");
  const all = Object.fromEntries([...given, ...named]);
  // Known only to the driver of Node.
  if (all["PGSSLMODE"] === "no-verify") all["PGSSLMODE"] = "require";
  return all;
};

type Tool = "pg_dump" | "pg_restore";

export type Run = {
  url: string;
  environment: Environment;
  /** The major version of the server, which the tool must have, too. */
  major: number;
};

const missing = (tool: Tool, major: number) =>
  new UsageError(
    `${tool} isn't installed. Install PostgreSQL's client programs in version ${major}. On Debian and Ubuntu: apt install postgresql-client-${major}`,
  );

const failure = (tool: Tool, major: number, printed: string) =>
  /server version mismatch|unsupported version/.test(printed)
    ? new UsageError(
        `${tool} is too old. Install PostgreSQL's client programs in version ${major}. On Debian and Ubuntu: apt install postgresql-client-${major}\n${printed}`,
      )
    : new UsageError(`${tool} failed.\n${printed}`);

const signals = ["SIGINT", "SIGTERM"] as const;

/** Runs a tool of PostgreSQL and returns its output. A signal ends the tool first, so that its files can be removed. */
export const runTool = async (
  tool: Tool,
  words: readonly string[],
  { url, environment, major }: Run,
) => {
  const child = spawn(tool, ["--no-password", ...words], {
    // Node's driver also takes the login from USER.
    env: {
      ...environment,
      PGUSER: environment["PGUSER"] ?? environment["USER"],
      ...toolEnvironment(url),
      LC_MESSAGES: "C",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const stop = (signal: NodeJS.Signals) => void child.kill(signal);
  for (const signal of signals) process.on(signal, stop);
  const printed = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (chunk: string) => {
      printed[name] += chunk;
    });
  try {
    const [code, signal] = await once(child, "close");
    if (signal) throw new UsageError(`${tool} was stopped.`);
    if (code !== 0) throw failure(tool, major, printed.stderr.trim());
    return printed.stdout;
  } catch (error) {
    throw error instanceof Error && "code" in error && error.code === "ENOENT"
      ? missing(tool, major)
      : error;
  } finally {
    for (const signal of signals) process.removeListener(signal, stop);
  }
};
