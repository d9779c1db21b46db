import { parseDocument } from "yaml";
import { z } from "zod";
import {
  closingSeconds,
  commandFaults,
  image,
  isInRepository,
  missingVariables,
  probePaths,
  serverPort,
  shutdownDelaySeconds,
  variableFaults,
} from "./facts.testing.ts";

const words = z.array(z.string());
const service = z.strictObject({
  image: z.string(),
  build: z.strictObject({ context: z.string(), dockerfile: z.string() }).optional(),
  command: words.optional(),
  entrypoint: words.optional(),
  environment: z.record(z.string(), z.string()).default({}),
  depends_on: z
    .record(
      z.string(),
      z.strictObject({
        condition: z.enum(["service_started", "service_healthy", "service_completed_successfully"]),
      }),
    )
    .default({}),
  healthcheck: z
    .union([
      z.strictObject({ disable: z.literal(true) }),
      z.strictObject({
        test: words,
        interval: z.string(),
        timeout: z.string(),
        retries: z.int().optional(),
        start_period: z.string().optional(),
      }),
    ])
    .optional(),
  volumes: words.default([]),
  ports: words.default([]),
  tmpfs: words.default([]),
  init: z.boolean().default(false),
  read_only: z.boolean().default(false),
  cap_drop: words.default([]),
  security_opt: words.default([]),
  restart: z.enum(["unless-stopped", "no", "always"]).optional(),
  stop_grace_period: z.string().optional(),
  user: z.string().optional(),
  network_mode: z.string().optional(),
});
const composeFile = z.looseObject({
  name: z.string(),
  services: z.record(z.string(), service),
  volumes: z.record(z.string(), z.null()),
});
type Service = z.output<typeof service>;
type ComposeFile = z.output<typeof composeFile>;

const isPurser = (one: Service) => one.image === "purser";

const secondsOf = (text = "10s") => Number(/^(\d+)s$/.exec(text)?.[1] ?? Number.NaN);

/** A path starts with a dot, relative to the file. Anything else is a volume. */
const volumeFaults = (one: Service, { volumes }: ComposeFile) =>
  one.volumes
    .map((volume) => volume.split(":")[0] ?? "")
    .filter((source) =>
      source.startsWith(".")
        ? !isInRepository(`deploy/${source}`)
        : !Object.hasOwn(volumes, source),
    )
    .map((source) => `the volume or file ${source} doesn't exist`);

const dependencyFaults = (one: Service, { services }: ComposeFile) =>
  Object.entries(one.depends_on).flatMap(([name, { condition }]) => {
    const other = services[name];
    if (!other) return [`the service ${name} doesn't exist`];
    const isChecked = other.healthcheck !== undefined && "test" in other.healthcheck;
    return condition === "service_healthy" && !isChecked ? [`${name} has no health check`] : [];
  });

/** The health check of the image asks a server. A worker has its own. */
const probeFaults = ({ command = [], environment, healthcheck }: Service) => {
  if (command[0] !== "worker") return [];
  const test = healthcheck && "test" in healthcheck ? healthcheck.test : [];
  const url = new URL(test.at(-1) ?? "", "http://none");
  return [
    ...(probePaths.includes(url.pathname) ? [] : ["the worker's health check has a wrong path"]),
    ...(url.port === environment["METRICS_PORT"]
      ? []
      : ["the worker's health check needs METRICS_PORT"]),
    ...(isInRepository(test[2] ?? "") ? [] : [`${test[2]} doesn't exist`]),
  ];
};

const stopFaults = ({ command = [], environment, stop_grace_period: grace }: Service) => {
  if (command[0] !== "serve") return [];
  const delay = Number(environment["SHUTDOWN_DELAY_SECONDS"] ?? shutdownDelaySeconds);
  return secondsOf(grace) >= delay + closingSeconds ? [] : ["stop_grace_period is too short"];
};

const purserFaults = (one: Service) => [
  ...Object.entries(one.environment).flatMap(([name, value]) => variableFaults(name, value)),
  ...(one.entrypoint
    ? one.entrypoint.filter((word) => word.endsWith(".ts") && !isInRepository(word))
    : [...commandFaults(one.command ?? []), ...missingVariables(Object.keys(one.environment))]),
  ...(one.read_only && one.tmpfs.includes("/tmp") ? [] : ["the file system must be read-only"]),
  ...(isInRepository(`deploy/${one.build?.context}/${one.build?.dockerfile}`)
    ? []
    : ["the Containerfile doesn't exist"]),
  ...probeFaults(one),
  ...stopFaults(one),
];

/** Only a server has a port, on this machine, and it is the one of the image. */
const portFaults = ({ ports, command = [] }: Service) => {
  const inside = new Map(image.variables).get("PORT");
  if (command[0] !== "serve") return [];
  return ports.length === 1 && ports[0] === `127.0.0.1:${serverPort}:${inside}`
    ? []
    : ["the port must be the one of the image"];
};

export const composeFaults = (text: string) => {
  const document = parseDocument(text, { merge: true });
  if (document.errors.length > 0) return document.errors.map(({ message }) => message);
  const parsed = composeFile.safeParse(document.toJS());
  if (!parsed.success)
    return parsed.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
  return Object.entries(parsed.data.services).flatMap(([name, one]) =>
    [
      ...dependencyFaults(one, parsed.data),
      ...volumeFaults(one, parsed.data),
      ...(isPurser(one) ? [...purserFaults(one), ...portFaults(one)] : []),
    ].map((fault) => `${name}: ${fault}`),
  );
};
