import { randomBytes } from "node:crypto";
import { iconProviders } from "@purser/contract/pages/runtime";
import { z } from "zod";
import { poolsFault, testModeFault } from "./configFaults.ts";
import {
  address,
  databaseUrl,
  environments,
  isBlock,
  isNamedSecret,
  isNetwork,
  list,
  listed,
  logLevels,
  namedSecrets,
  ownPath,
  port,
  steps,
  wholeNumber,
  zones,
} from "./configFields.ts";
import { withLogin } from "./databaseLogin.ts";
import { type Environment, withFiles } from "./environmentFiles.ts";
import { isLoopbackUrl } from "./platform/http/loopback.ts";

/**
 * All environment variables. Descriptions and examples become `.env.example`, and a test keeps that file in
 * step. `secret` says what `purser config` doesn't show: all of the value, or the password of a URL.
 */
export const variables = z.object({
  DATABASE_URL: databaseUrl
    .describe(
      "PostgreSQL connection of the application. In production, use a role that is only a member of purser_app. Several hosts, separated by commas, are a primary and its standbys: Purser uses the one that accepts changes.",
    )
    .meta({ example: "postgres://localhost:5432/purser", secret: "password" }),
  MIGRATION_DATABASE_URL: databaseUrl
    .optional()
    .describe(
      "PostgreSQL connection of `migrate`, as the owner of the tables. Defaults to DATABASE_URL.",
    )
    .meta({ secret: "password" }),
  TEST_MODE_DATABASE_URL: databaseUrl
    .optional()
    .describe(
      "PostgreSQL connection of test mode: a second database with test data, at /test. Without it there is no test mode. See docs/test-mode.md.",
    )
    .meta({ secret: "password" }),
  TEST_MODE_MIGRATION_DATABASE_URL: databaseUrl
    .optional()
    .describe(
      "PostgreSQL connection of `migrate` to the database of test mode. Defaults to TEST_MODE_DATABASE_URL.",
    )
    .meta({ secret: "password" }),
  REDIS_URL: address("redis", "rediss")
    .describe("Redis, for live updates and rate limits across instances. Losing its data is safe.")
    .meta({ example: "redis://localhost:6379/0", secret: "password" }),
  REDIS_PREFIX: z
    .templateLiteral([z.string().max(60), ":"], "must end with a colon")
    .default("purser:")
    .describe("Prefix of all Redis keys and channels, followed by the ID of the installation."),
  PUBLIC_URL: address("http", "https")
    .refine((value) => !URL.canParse(value) || new URL(value).pathname === "/", "must have no path")
    .refine(
      (value) => !URL.canParse(value) || value.startsWith("https:") || isLoopbackUrl(value),
      "must start with https://, except on localhost, because browsers keep the session cookie only over TLS. Set it to the URL of the proxy or load balancer that terminates TLS",
    )
    .transform((value) => new URL(value).origin)
    .describe(
      "The URL of Purser in browsers, without a path. Used for cookies, passkeys and links in emails.",
    )
    .meta({ example: "http://localhost:3000" }),
  BASE_PATH: ownPath
    .default("")
    .describe("Base path of all URLs, such as /purser. Defaults to the root."),
  API_BASE_URL: ownPath.optional().describe("Path of the API. Defaults to /api below BASE_PATH."),
  ASSETS_BASE_URL: z
    .string()
    .transform((value) => `${value.replace(/\/+$/, "")}/`)
    .refine(
      (value) => steps.test(value.slice(0, -1)) || (/^https?:/.test(value) && URL.canParse(value)),
      "must be a path such as /static or a URL such as https://cdn.example.com/purser",
    )
    .optional()
    .describe("Path or URL of the static files, for example of a CDN.")
    .meta({ default: "" }),
  RELEASE_STORE: z
    .string()
    .optional()
    .describe("Directory of `npm run release`, shared by all instances. Defaults to web/dist."),
  DOCS_URL: address("http", "https")
    .transform((value) => value.replace(/\/+$/, ""))
    .optional()
    .describe(
      "URL of the folder docs of your own documentation site, such as https://docs.example.com/docs. By default the help of the dashboard opens the documentation that the server has at /help.",
    ),
  VERSION_CHECK_SECONDS: wholeNumber(60, 86_400)
    .default(300)
    .describe("How often an open page checks for a new release, in seconds."),
  OVERLOAD_DELAY_MS: wholeNumber(0, 600_000)
    .default(1000)
    .describe(
      "Event loop delay in milliseconds above which requests are rejected with 503. 0 turns this off.",
    ),
  REQUEST_TIMEOUT_MS: wholeNumber(1000, 600_000)
    .default(10_000)
    .describe("Request timeout in milliseconds. Slower requests get a 503 and can be retried."),
  CHECK_CACHE_MS: wholeNumber(0, 1000)
    .default(1000)
    .describe(
      "How long an instance may answer checks of sold apps from memory, in milliseconds. With 0, every check reads the database.",
    ),
  IMPORT_MB_MAX: wholeNumber(1, 100_000)
    .default(1000)
    .describe("Largest file that can be imported, in megabytes."),
  ICON_PROVIDER: z
    .enum(iconProviders, `must be one of ${iconProviders.join(", ")}`)
    .default("server")
    .describe("Source of app icons: server, iconify (a public service), or none."),
  ICON_SERVICE_URL: address("http", "https")
    .transform((value) => value.replace(/\/+$/, ""))
    .default("https://api.iconify.design")
    .describe("URL of the public icon service."),
  ICON_FALLBACK: z
    .enum(["true", "false"], "must be true or false")
    .default("false")
    .transform((value) => value === "true")
    .describe(
      "Load icons that the server doesn't have from the public icon service: true or false.",
    ),
  SECRET_KEYS: z
    .string()
    .transform(listed)
    .refine(
      (all) => all.length > 0 && all.every((one) => z.base64().safeParse(one).success),
      "must be base64, for example from `openssl rand -base64 32`",
    )
    .refine(
      (all) => all.every((one) => Buffer.from(one, "base64").length >= 32),
      "must have at least 32 bytes each",
    )
    .describe(
      "Encryption keys for stored secrets, 32 random bytes in base64 each, comma-separated, newest first. Generate one with `openssl rand -base64 32`.",
    )
    .meta({ example: () => randomBytes(32).toString("base64"), secret: "all" }),
  HOST: z.string().min(1).default("127.0.0.1").describe("The address to listen on."),
  PORT: port.default(3000).describe("The port to listen on. 0 picks a free port."),
  SHUTDOWN_DELAY_SECONDS: wholeNumber(0, 300)
    .default(5)
    .describe(
      "How long a server still answers after SIGTERM while /readyz already says that it is closing, in seconds. Longer than the interval in which the load balancer checks.",
    ),
  DATABASE_WAIT_SECONDS: wholeNumber(0, 600)
    .default(30)
    .describe(
      "How long a starting process waits for the database to accept connections, in seconds.",
    ),
  TRACES_URL: address("http", "https")
    .optional()
    .describe(
      "URL of an OpenTelemetry collector that takes traces by HTTP, such as http://localhost:4318/v1/traces. Without one nothing is traced.",
    )
    .meta({ secret: "password" }),
  TRACES_PERCENT: wholeNumber(0, 100)
    .default(100)
    .describe("How many requests and jobs are traced, in percent."),
  METRICS_HOST: z
    .string()
    .min(1)
    .default("127.0.0.1")
    .describe("The address to listen on for metrics. It must not be public."),
  METRICS_PORT: port
    .optional()
    .describe(
      "Port for Prometheus metrics at /metrics, and for the probes of a worker. Off by default.",
    ),
  TRUSTED_PROXIES: list
    .refine((all) => all.every(isNetwork), "must be IP addresses or networks such as 10.0.0.0/8")
    .describe(
      "IP addresses or networks of load balancers whose X-Forwarded-For header is trusted, comma-separated.",
    ),
  WEBHOOK_ALLOWED_NETWORKS: list
    .refine((all) => all.every(isBlock), "must be networks such as 10.20.0.0/16")
    .describe(
      "Private networks that webhooks can be sent to, also over HTTP, comma-separated. None by default.",
    ),
  WEBHOOK_ALLOWED_PORTS: z
    .string()
    .default("443,8443")
    .transform(listed)
    .refine((all) => all.every((one) => port.safeParse(one).success), "must be ports such as 443")
    .transform((all) => all.map(Number))
    .describe("Ports that webhooks can be sent to, comma-separated."),
  WEBHOOK_DELIVERY_DAYS: wholeNumber(1, 3650)
    .default(30)
    .describe(
      "How many days webhook deliveries are kept at least. Whole months are removed, so some are kept a month longer.",
    ),
  WEBHOOK_EVENT_DAYS: wholeNumber(1, 3650)
    .default(30)
    .describe(
      "How many days webhook events are kept at least, and in any case as long as their deliveries.",
    ),
  SMTP_URL: address("smtp", "smtps")
    .describe("SMTP server for outgoing email.")
    .meta({ example: "smtp://localhost:2525", secret: "password" }),
  EMAIL_FROM: z
    .email("must be an email address")
    .describe("Sender address of outgoing email.")
    .meta({ example: "purser@example.com" }),
  COMPANY_NAME: z
    .string()
    .trim()
    .min(1, "must have 1 to 60 characters")
    .max(60, "must have 1 to 60 characters")
    .default("Purser")
    .describe("Your company's name, shown on every page. Can be changed in the settings."),
  ENVIRONMENT: z
    .enum(environments, `must be one of ${environments.join(", ")}`)
    .default("live")
    .describe("live, or test for a test environment, which is marked on every page."),
  COMPANY_TIME_ZONE: z
    .string()
    .refine((value) => zones.has(value), "must be a time zone such as Europe/Lisbon")
    .default("UTC")
    .describe("Time zone of dates that team members enter. Can be changed in the settings."),
  STRIPE_WEBHOOK_SECRETS: list
    .describe(
      "Signing secrets (whsec_…) of the Stripe webhook to /api/providers/stripe/events, comma-separated. Two during a rotation.",
    )
    .meta({ secret: "all" }),
  STRIPE_SECRET_KEY: z
    .string()
    .optional()
    .describe("Stripe API key. Used to look up payments stuck in processing. Optional.")
    .meta({ secret: "all" }),
  STRIPE_API_URL: address("http", "https")
    .default("https://api.stripe.com")
    .describe("URL of the Stripe API."),
  PROVIDER_SECRETS: list
    .refine((all) => all.every(isNamedSecret), namedSecrets)
    .describe(
      "Signing secrets of other payment providers that send events to /api/providers/<name>/events, as comma-separated name:whsec_… pairs.",
    )
    .meta({ secret: "all" }),
  TEST_MODE_STRIPE_WEBHOOK_SECRETS: list
    .describe(
      "Signing secrets of the Stripe webhook to /api/test/providers/stripe/events, comma-separated. Use Stripe's own test mode for it.",
    )
    .meta({ secret: "all" }),
  TEST_MODE_STRIPE_SECRET_KEY: z
    .string()
    .optional()
    .describe("Stripe API key of Stripe's own test mode, for test mode. Optional.")
    .meta({ secret: "all" }),
  TEST_MODE_PROVIDER_SECRETS: list
    .refine((all) => all.every(isNamedSecret), namedSecrets)
    .describe(
      "Signing secrets of other payment providers that send events to /api/test/providers/<name>/events, as comma-separated name:whsec_… pairs.",
    )
    .meta({ secret: "all" }),
  OIDC_ISSUER: address("http", "https")
    .optional()
    .describe(
      "Issuer URL of your identity provider (OpenID Connect). Single sign-on is off without it.",
    ),
  OIDC_CLIENT_ID: z.string().optional().describe("Client ID of Purser at the identity provider."),
  OIDC_CLIENT_SECRET: z
    .string()
    .optional()
    .describe("Client secret for OIDC_CLIENT_ID.")
    .meta({ secret: "all" }),
  OIDC_NAME: z
    .string()
    .trim()
    .min(1, "must have 1 to 40 characters")
    .max(40, "must have 1 to 40 characters")
    .default("company account")
    .describe('Name of the identity provider on the sign-in page ("Sign in with …").'),
  OIDC_SCOPES: z
    .string()
    .default("openid email profile")
    .transform((value) => value.split(/\s+/).filter(Boolean))
    .refine((all) => all.includes("openid"), "must include openid")
    .transform((all) => all.join(" "))
    .describe("Requested scopes, space-separated."),
  OIDC_GROUPS_CLAIM: z
    .string()
    .min(1)
    .default("groups")
    .describe("ID token claim with the groups of the team member."),
  DATABASE_POOL_SIZE: wholeNumber(5, 200)
    .default(12)
    .describe("Maximum number of PostgreSQL connections per process."),
  DATABASE_POOL_CHECKS: wholeNumber(1, 100)
    .optional()
    .describe(
      "How many of these connections are for checks of apps and sign-in. Defaults to a quarter.",
    ),
  DATABASE_POOL_READS: wholeNumber(1, 100)
    .optional()
    .describe(
      "How many of these connections are for lists, files and other reads. Defaults to half. The rest is for changes and jobs, at least 2.",
    ),
  DATABASE_POOLING: z
    .enum(["session", "transaction"], "must be session or transaction")
    .default("session")
    .describe(
      "transaction if DATABASE_URL is a connection pooler in transaction mode, such as PgBouncer. See docs/operations.md.",
    ),
  LOG_LEVEL: z
    .enum(logLevels, `must be one of ${logLevels.join(", ")}`)
    .default("info")
    .describe("Minimum log level."),
});
export type Config = z.output<typeof variables>;

/** The process can't start. The message has one line per invalid variable. */
export class ConfigError extends Error {}

/** The variables that 0.5.0 renamed. An old name would be ignored silently, so it is refused. */
const renamed: Record<string, keyof Config> = {
  MAIL_FROM: "EMAIL_FROM",
  ANSWER_WITHIN_MS: "REQUEST_TIMEOUT_MS",
  BUSY_AFTER_MS: "OVERLOAD_DELAY_MS",
};

/** The name of SECRET_KEYS when there was only one key. */
const oldSecretKey = "SECRET_KEY";

const databaseUrls = [
  "DATABASE_URL",
  "MIGRATION_DATABASE_URL",
  "TEST_MODE_DATABASE_URL",
  "TEST_MODE_MIGRATION_DATABASE_URL",
] as const;

const withLogins = (config: Config, environment: Environment): Config => ({
  ...config,
  ...Object.fromEntries(
    databaseUrls.flatMap((name) => {
      const url = config[name];
      return url === undefined ? [] : [[name, withLogin(url, environment)]];
    }),
  ),
});

/** The variables as given, also in files, and what is wrong with the files. */
export const givenVariables = (environment: Environment) => {
  const { given, faults } = withFiles(environment, [...Object.keys(variables.shape), oldSecretKey]);
  given["SECRET_KEYS"] ??= given[oldSecretKey];
  return { given, faults };
};

export const readConfig = (environment: Environment): Config => {
  const { given, faults } = givenVariables(environment);
  if (faults.length > 0) throw new ConfigError(faults.join("\n"));
  const outdated = Object.entries(renamed).filter(([name]) => given[name] !== undefined);
  const parsed = variables.safeParse(given);
  if (parsed.success && outdated.length === 0) {
    const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET } = parsed.data;
    if (OIDC_ISSUER && !(OIDC_CLIENT_ID && OIDC_CLIENT_SECRET))
      throw new ConfigError("OIDC_ISSUER requires OIDC_CLIENT_ID and OIDC_CLIENT_SECRET.");
    const fault = poolsFault(parsed.data) ?? testModeFault(parsed.data);
    if (fault !== null) throw new ConfigError(fault);
    return withLogins(parsed.data, given);
  }
  const issues = (parsed.error?.issues ?? []).filter(
    ({ path }) => !outdated.some(([, name]) => name === path[0]),
  );
  const isFirst = ({ path }: (typeof issues)[number], place: number) =>
    issues.findIndex((issue) => issue.path[0] === path[0]) === place;
  throw new ConfigError(
    [
      ...outdated.map(([old, name]) => `${old} was renamed. Use ${name} instead.`),
      ...issues.filter(isFirst).map(({ path, message }) => {
        const name = String(path[0]);
        return given[name] === undefined
          ? `${name} is missing. ${describe(name)}`
          : `${name} ${message}.`;
      }),
    ].join("\n"),
  );
};

const describe = (name: string) =>
  Object.entries(variables.shape).find(([key]) => key === name)?.[1].description ?? "";
