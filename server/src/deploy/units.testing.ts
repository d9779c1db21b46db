import {
  closingSeconds,
  commandFaults,
  isInRepository,
  missingVariables,
  secretFaults,
  serverPort,
  shutdownDelaySeconds,
  variableFaults,
} from "./facts.testing.ts";

type Setting = { name: string; value: string };

/** The lines `NAME=value` of a unit or an environment file. */
const settingsIn = (text: string): Setting[] =>
  text.split("\n").flatMap((line) => {
    const [, name = "", value = ""] = /^([A-Za-z_]+)=(.*)$/.exec(line) ?? [];
    return name ? [{ name, value }] : [];
  });

export const environmentFaults = (text: string) =>
  settingsIn(text).flatMap(({ name, value }) => variableFaults(name, value));

/** `%i` is the port of the instance, and `%d` the folder of credentials. */
const withSpecifiers = (value: string) =>
  value.replaceAll("%i", String(serverPort)).replaceAll("%d", "/run/credentials");

const installed = "/opt/purser/current/";

/** What is wrong with a systemd unit, together with the environment file that it reads. */
export const unitFaults = (text: string, environmentFile: string) => {
  const settings = settingsIn(text);
  const valuesOf = (name: string) =>
    settings.filter((one) => one.name === name).map(({ value }) => withSpecifiers(value));
  const environment = settingsIn(valuesOf("Environment").join("\n"));
  const secrets = valuesOf("LoadCredential").map((value) => value.split(":")[0] ?? "");
  const [start = ""] = valuesOf("ExecStart");
  const [program = "", ...rest] = start.split(" ");
  const place = rest.findIndex((word) => word.endsWith(".ts"));
  const given = [...environment, ...settingsIn(environmentFile)].map(({ name }) => name);
  const pages = valuesOf("Documentation").map((value) => value.replace(`file:${installed}`, ""));
  const needsTime = rest[place + 1] === "serve";
  const [stop = ""] = valuesOf("TimeoutStopSec");
  const delay = environment.find(({ name }) => name === "SHUTDOWN_DELAY_SECONDS")?.value;
  return [
    ...environment.flatMap(({ name, value }) => variableFaults(name, value)),
    ...missingVariables(given),
    ...secrets.flatMap(secretFaults),
    ...environment
      .filter(({ name }) => name.endsWith("_FILE"))
      .map(({ value }) => value.split("/").at(-1) ?? "")
      .filter((name) => !secrets.includes(name))
      .map((name) => `LoadCredential lacks ${name}`),
    ...(program === `${installed}node_modules/.bin/node` ? [] : [`${program} isn't installed`]),
    ...(isInRepository(rest[place] ?? "none") ? [] : [`${rest[place]} doesn't exist`]),
    ...pages.filter((page) => !isInRepository(page)).map((page) => `${page} doesn't exist`),
    ...commandFaults(rest.slice(place + 1)),
    ...(needsTime && Number(stop) < Number(delay ?? shutdownDelaySeconds) + closingSeconds
      ? ["TimeoutStopSec is too short"]
      : []),
    ...["NoNewPrivileges", "PrivateTmp", "ProtectHome"]
      .filter((name) => valuesOf(name)[0] !== "true")
      .map((name) => `${name} isn't set`),
  ];
};
