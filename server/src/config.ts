import { randomBytes } from "node:crypto";
import { isIP } from "node:net";
import { iconProviders } from "@purser/contract/pages/runtime";
import { z } from "zod";

const address = (...protocols: string[]) =>
  z.url({
    protocol: new RegExp(`^(${protocols.join("|")})$`),
    error: `must be an address that starts with ${protocols.map((one) => `${one}://`).join(" or ")}`,
  });
const wholeNumber = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.coerce.number({ error }).int(error).min(min, error).max(max, error);
};
const port = wholeNumber(0, 65_535);
const steps = /^(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)+$/;
const ownPath = z
  .string()
  .transform((value) => value.replace(/\/+$/, ""))
  .refine((value) => value === "" || steps.test(value), "must be a path such as /office");
const environments = ["live", "test"] as const;
const logLevels = ["fatal", "error", "warn", "info", "debug", "silent"] as const;
const isNetwork = (one: string) => isIP(one.split("/")[0] ?? "") > 0 || one === "loopback";
const isBlock = (one: string) => {
  const [base = "", bits = ""] = one.split("/");
  const family = isIP(base);
  return family > 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128);
};
const listed = (value: string) =>
  value
    .split(",")
    .map((one) => one.trim())
    .filter(Boolean);
const list = z.string().default("").transform(listed);
const zones = new Set([...Intl.supportedValuesOf("timeZone"), "UTC"]);

/**
 * All environment variables. Descriptions and examples become `.env.example`, and a test keeps that file in
 * step.
 */
export const variables = z.object({
  DATABASE_URL: address("postgres", "postgresql")
    .describe(
      "PostgreSQL for the application. In production, a login that only belongs to purser_app.",
    )
    .meta({ example: "postgres://localhost:5432/purser" }),
  MIGRATION_DATABASE_URL: address("postgres", "postgresql")
    .optional()
    .describe(
      "PostgreSQL for `migrate`: the login that owns the tables. Without it, DATABASE_URL.",
    ),
  REDIS_URL: address("redis", "rediss")
    .describe(
      "Redis, for announcements between instances and for limits. Nothing in it is missed when lost.",
    )
    .meta({ example: "redis://localhost:6379/0" }),
  REDIS_PREFIX: z
    .templateLiteral([z.string().max(60), ":"], "must end with a colon")
    .default("purser:")
    .describe("What every key and channel in Redis starts with."),
  PUBLIC_URL: address("http", "https")
    .refine((value) => !URL.canParse(value) || new URL(value).pathname === "/", "must have no path")
    .transform((value) => new URL(value).origin)
    .describe("Where browsers reach Purser: the origin of cookies, links in mails and passkeys.")
    .meta({ example: "http://localhost:3000" }),
  BASE_PATH: ownPath
    .default("")
    .describe("The path below which everything is, such as /office. Without it, the root."),
  API_BASE_URL: ownPath
    .optional()
    .describe("The path at which pages reach the API. Without it, /api below BASE_PATH."),
  ASSETS_BASE_URL: z
    .string()
    .transform((value) => `${value.replace(/\/+$/, "")}/`)
    .refine(
      (value) => steps.test(value.slice(0, -1)) || (/^https?:/.test(value) && URL.canParse(value)),
      "must be a path such as /static or an address such as https://cdn.example.com/purser",
    )
    .optional()
    .describe("Where pages load their files from: a path, or another host's address.")
    .meta({ default: "" }),
  RELEASE_STORE: z
    .string()
    .optional()
    .describe("The folder of `npm run release`, shared by all instances. Without it, web/dist."),
  VERSION_CHECK_SECONDS: wholeNumber(60, 86_400)
    .default(300)
    .describe("How often an open page looks for a newer release."),
  BUSY_AFTER_MS: wholeNumber(0, 600_000)
    .default(1000)
    .describe(
      "How late the server may be with its work before it asks callers to come back; 0 never asks.",
    ),
  ANSWER_WITHIN_MS: wholeNumber(1000, 600_000)
    .default(10_000)
    .describe("How long a request may take before the caller is asked to try again."),
  ICON_PROVIDER: z
    .enum(iconProviders, `must be one of ${iconProviders.join(", ")}`)
    .default("server")
    .describe("Who gives the icons of apps: server, iconify (a public service), or none."),
  ICON_SERVICE_URL: address("http", "https")
    .transform((value) => value.replace(/\/+$/, ""))
    .default("https://api.iconify.design")
    .describe("The public icon service."),
  ICON_FALLBACK: z
    .enum(["true", "false"], "must be true or false")
    .default("false")
    .transform((value) => value === "true")
    .describe("Whether the public icon service is asked for what the server lacks: true or false."),
  SECRET_KEY: z
    .base64("must be base64, such as from: openssl rand -base64 32")
    .refine((value) => Buffer.from(value, "base64").length >= 32, "must hold at least 32 bytes")
    .describe("Encrypts stored secrets. 32 random bytes in base64: openssl rand -base64 32")
    .meta({ example: () => randomBytes(32).toString("base64") }),
  HOST: z.string().min(1).default("127.0.0.1").describe("The address to listen on."),
  PORT: port.default(3000).describe("The port to listen on; 0 takes a free one."),
  METRICS_PORT: port
    .optional()
    .describe("Prometheus metrics at /metrics of this port. Without it, none."),
  TRUSTED_PROXIES: list
    .refine((all) => all.every(isNetwork), "must be addresses or networks such as 10.0.0.0/8")
    .describe("Addresses of the balancers whose X-Forwarded-For is believed, with commas between."),
  WEBHOOK_ALLOWED_NETWORKS: list
    .refine((all) => all.every(isBlock), "must be networks such as 10.20.0.0/16")
    .describe(
      "Private networks that webhooks may reach, also by plain http, with commas between. Without it, none.",
    ),
  WEBHOOK_ALLOWED_PORTS: z
    .string()
    .default("443,8443")
    .transform(listed)
    .refine((all) => all.every((one) => port.safeParse(one).success), "must be ports such as 443")
    .transform((all) => all.map(Number))
    .describe("Ports that webhooks may be sent to, with commas between."),
  SMTP_URL: address("smtp", "smtps")
    .describe("Where mails are handed over.")
    .meta({ example: "smtp://localhost:2525" }),
  MAIL_FROM: z
    .email("must be a mail address")
    .describe("Who the mails come from.")
    .meta({ example: "purser@example.com" }),
  COMPANY_NAME: z
    .string()
    .trim()
    .min(1, "must have 1 to 60 characters")
    .max(60, "must have 1 to 60 characters")
    .default("Purser")
    .describe("Whose office this is; every page shows it."),
  ENVIRONMENT: z
    .enum(environments, `must be one of ${environments.join(", ")}`)
    .default("live")
    .describe("live, or test for an office that people try things in; the pages tell them apart."),
  COMPANY_TIME_ZONE: z
    .string()
    .refine((value) => zones.has(value), "must be a time zone such as Europe/Lisbon")
    .default("UTC")
    .describe("The zone that a date typed by a person means."),
  STRIPE_WEBHOOK_SECRETS: list.describe(
    "Secrets of Stripe's webhook to /api/providers/stripe/events, whsec_…, with commas between: two while one replaces the other.",
  ),
  STRIPE_SECRET_KEY: z
    .string()
    .optional()
    .describe("Stripe's API key, for asking after payments that hang. Without it, nobody asks."),
  STRIPE_API_URL: address("http", "https")
    .default("https://api.stripe.com")
    .describe("Where Stripe's API is."),
  PROVIDER_SECRETS: list
    .refine(
      (all) => all.every((one) => /^[a-z][a-z0-9-]{1,39}:whsec_[A-Za-z0-9+/]{32,}=*$/.test(one)),
      "must be names and secrets such as bank:whsec_ and 24 or more bytes in base64",
    )
    .describe(
      "Other providers that may tell of payments at /api/providers/<name>/events, as name:whsec_… with commas between.",
    ),
  OIDC_ISSUER: address("http", "https")
    .optional()
    .describe(
      "The company's identity provider (OpenID Connect), as it names itself. Without it, no company sign-in.",
    ),
  OIDC_CLIENT_ID: z.string().optional().describe("Who Purser is at the identity provider."),
  OIDC_CLIENT_SECRET: z.string().optional().describe("The secret that goes with OIDC_CLIENT_ID."),
  OIDC_NAME: z
    .string()
    .trim()
    .min(1, "must have 1 to 40 characters")
    .max(40, "must have 1 to 40 characters")
    .default("company account")
    .describe("What people call the company's sign-in; the login says: Sign in with …"),
  OIDC_SCOPES: z
    .string()
    .default("openid email profile")
    .transform((value) => value.split(/\s+/).filter(Boolean))
    .refine((all) => all.includes("openid"), "must hold openid")
    .transform((all) => all.join(" "))
    .describe("What the identity provider is asked for, with blanks between."),
  OIDC_GROUPS_CLAIM: z
    .string()
    .min(1)
    .default("groups")
    .describe("The claim that holds a person's groups at the company."),
  DATABASE_POOL_SIZE: wholeNumber(2, 200)
    .default(10)
    .describe("Connections to PostgreSQL per process."),
  LOG_LEVEL: z
    .enum(logLevels, `must be one of ${logLevels.join(", ")}`)
    .default("info")
    .describe("The least severe lines that are logged."),
});
export type Config = z.output<typeof variables>;

/** The process can't start. The message has one sentence per wrong variable. */
export class ConfigError extends Error {}

export const readConfig = (environment: Record<string, string | undefined>): Config => {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const parsed = variables.safeParse(given);
  if (parsed.success) {
    const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET } = parsed.data;
    if (OIDC_ISSUER && !(OIDC_CLIENT_ID && OIDC_CLIENT_SECRET))
      throw new ConfigError(
        "OIDC_ISSUER needs OIDC_CLIENT_ID and OIDC_CLIENT_SECRET, as the identity provider gave them.",
      );
    return parsed.data;
  }
  const { issues } = parsed.error;
  const isFirst = ({ path }: (typeof issues)[number], place: number) =>
    issues.findIndex((issue) => issue.path[0] === path[0]) === place;
  throw new ConfigError(
    issues
      .filter(isFirst)
      .map(({ path, message }) => {
        const name = String(path[0]);
        return given[name] === undefined
          ? `${name} is missing. ${describe(name)}`
          : `${name} ${message}.`;
      })
      .join("\n"),
  );
};

const describe = (name: string) =>
  Object.entries(variables.shape).find(([key]) => key === name)?.[1].description ?? "";
