import { parseDocument } from "yaml";
import { z } from "zod";
import { assertDemoConfig } from "../commands/demo.ts";
import { variables } from "../config.ts";
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

/** Both listen. The demo also loads data and prints a link that signs in. */
const isServer = ({ command = [] }: Service) => command[0] === "serve" || command[0] === "demo";

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

const stopFaults = (one: Service) => {
  if (!isServer(one)) return [];
  const { environment, stop_grace_period: grace } = one;
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
  ...demoFaults(one),
];

/** What `purser demo` would refuse at its start, so that no service prints a link to another machine's data. */
const demoFaults = ({ command = [], environment }: Service) => {
  if (command[0] !== "demo") return [];
  const { PUBLIC_URL, ENVIRONMENT } = variables.shape;
  try {
    assertDemoConfig({
      PUBLIC_URL: PUBLIC_URL.parse(environment["PUBLIC_URL"]),
      ENVIRONMENT: ENVIRONMENT.parse(environment["ENVIRONMENT"]),
    });
  } catch (error) {
    return [String(error)];
  }
  return Object.hasOwn(environment, "MIGRATION_DATABASE_URL_FILE")
    ? []
    : ["the demo needs the owner of the tables"];
};

/** Only a server has a port, on this machine, and it is the one of the image. */
const portFaults = (one: Service) => {
  const inside = new Map(image.variables).get("PORT");
  if (!isServer(one)) return [];
  const { ports } = one;
  return ports.length === 1 && ports[0] === `127.0.0.1:${serverPort}:${inside}`
    ? []
    : ["the port must be the one of the image"];
};

const parseCompose = (text: string) => {
  const document = parseDocument(text, { merge: true });
  return { errors: document.errors, parsed: composeFile.safeParse(document.toJS()) };
};

/** The services of a file without faults. */
export const composeServices = (text: string) => {
  const { parsed } = parseCompose(text);
  if (!parsed.success) throw parsed.error;
  return parsed.data.services;
};

export const composeFaults = (text: string) => {
  const { errors, parsed } = parseCompose(text);
  if (errors.length > 0) return errors.map(({ message }) => message);
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
