import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { commandOptions } from "../commands/command.ts";
import { variables } from "../config.ts";

const root = new URL("../../../", import.meta.url).pathname;
export const read = (file: string) => readFileSync(join(root, file), "utf8");

/** A file of the repository, or a folder of it. */
export const isInRepository = (file: string) => existsSync(join(root, file));

const commands = [
  ...read("server/src/main.ts").matchAll(/^ {2}"?([a-z-]+)"?: async \(\) => \(await import/gm),
].map(([, name]) => name ?? "");

/** What is wrong with the arguments of `purser`. */
export const commandFaults = (words: readonly string[]) => {
  const [name = ""] = words;
  const options = words.filter((word) => word.startsWith("--")).map((word) => word.slice(2));
  return [
    ...(commands.includes(name) ? [] : [`the command "${name}" doesn't exist`]),
    ...options
      .filter((option) => !Object.hasOwn(commandOptions, option))
      .map((option) => `the option --${option} doesn't exist`),
  ];
};

/** Read by Node and by the system, not by Purser. */
const ofSystem = new Set(["NODE_ENV", "HOME"]);

const shapes: Record<string, { safeParse: (value: unknown) => { success: boolean } }> =
  variables.shape;

/** What is wrong with a variable and its value. A variable can be given as a file, too, with `_FILE` after its name. */
export const variableFaults = (name: string, value: string) => {
  if (ofSystem.has(name)) return [];
  const plain = name.replace(/_FILE$/, "");
  const shape = Object.hasOwn(shapes, plain) ? shapes[plain] : undefined;
  if (!shape) return [`the variable ${name} doesn't exist`];
  if (plain !== name) return fileFaults(name, value);
  return shape.safeParse(value).success ? [] : [`the value of ${name} is not allowed`];
};

const fileFaults = (name: string, path: string) => {
  const file = path.split("/").at(-1) ?? "";
  return file === name.replace(/_FILE$/, "").toLowerCase()
    ? secretFaults(file)
    : [`${name} is the file of another variable`];
};

const secretNames = [...read("deploy/makeSecrets.ts").matchAll(/^ {2}([a-z_]+): /gm)].map(
  ([, name]) => name ?? "",
);

/** Every secret comes from `deploy/makeSecrets.ts`. */
export const secretFaults = (name: string) =>
  secretNames.includes(name) ? [] : [`deploy/makeSecrets.ts doesn't write ${name}`];

/** The required variables, as plain values or as files. */
export const missingVariables = (given: readonly string[]) =>
  Object.entries(shapes)
    .filter(([, shape]) => !shape.safeParse(undefined).success)
    .map(([name]) => name)
    .filter((name) => !given.includes(name) && !given.includes(`${name}_FILE`))
    .map((name) => `${name} is missing`);

const defaultOf = (name: "PORT" | "SHUTDOWN_DELAY_SECONDS") =>
  variables.shape[name].parse(undefined);
export const serverPort = defaultOf("PORT");
export const shutdownDelaySeconds = defaultOf("SHUTDOWN_DELAY_SECONDS");

/** Besides the delay, as docs/operations.md says. */
export const closingSeconds = 15;

export const probePaths = ["/healthz", "/readyz"].filter(
  (path) =>
    read("server/src/platform/http/health.ts").includes(`app.get("${path}"`) &&
    read("server/src/platform/http/metrics.ts").includes(`"${path}": async`),
);

/** The image: its user, its variables, and what it exposes. */
export const image = (() => {
  const text = read("deploy/Containerfile");
  const [, user = ""] = /^USER (\d+):\d+$/m.exec(text) ?? [];
  const [, settings = ""] = /^ENV (.+)$/m.exec(text) ?? [];
  const variablesOf = settings.split(" ").map((one) => one.split("=") as [string, string]);
  return { text, user: Number(user), variables: variablesOf };
})();

export const inFile = (file: string, faults: readonly string[]) =>
  faults.map((fault) => `${file}: ${fault}`);
