import { fileURLToPath } from "node:url";
import { Redis } from "ioredis";
import { createTransport } from "nodemailer";
import type { Config } from "../../config.ts";
import { isLoopbackUrl } from "../../platform/http/loopback.ts";
import { findBuild, storeOf } from "../installed.ts";
import { attempt, type Finding, failed, ok, serviceFault, warning } from "./check.ts";

const waitMs = 5000;

/** What is allowed, but usually a mistake. */
export const checkConfig = ({ PUBLIC_URL, TRUSTED_PROXIES }: Config): Finding =>
  isLoopbackUrl(PUBLIC_URL) || TRUSTED_PROXIES.length > 0
    ? ok("configuration", `All variables are valid. Purser is at ${PUBLIC_URL}.`)
    : warning(
        "configuration",
        "TRUSTED_PROXIES is empty, so all requests seem to come from the proxy that terminates TLS. Set it to the proxy's address.",
      );

const checkRedis = async ({ REDIS_URL }: Config): Promise<Finding> => {
  const redis = new Redis(REDIS_URL, {
    lazyConnect: true,
    connectTimeout: waitMs,
    commandTimeout: waitMs,
    retryStrategy: () => null,
  });
  let reason: unknown = null;
  redis.on("error", (error) => {
    reason = error;
  });
  try {
    await redis.connect();
    await redis.ping();
    return ok("redis", "Redis answers.");
  } catch (error) {
    return failed(
      "redis",
      `${serviceFault(reason ?? error)}. Check REDIS_URL, and that Redis is running. Without it, open pages refresh late, and each instance applies rate limits to its own requests.`,
    );
  } finally {
    redis.disconnect();
  }
};

/** Connects, greets and signs in if the URL has a login. Sends no email. */
const checkSmtp = async ({ SMTP_URL }: Config): Promise<Finding> => {
  const timeouts = { connectionTimeout: waitMs, greetingTimeout: waitMs, socketTimeout: waitMs };
  const transport = createTransport({ url: SMTP_URL, ...timeouts });
  try {
    await transport.verify();
    return ok("smtp", "The SMTP server accepts connections.");
  } catch (error) {
    return failed(
      "smtp",
      `${serviceFault(error)}. Check SMTP_URL. Emails are tried again for a day.`,
    );
  } finally {
    transport.close();
  }
};

const checkBuild = async ({ RELEASE_STORE: shared }: Config): Promise<Finding> => {
  const build = findBuild(shared);
  const folder = fileURLToPath(storeOf(shared));
  if (!build)
    return failed(
      "build",
      shared
        ? `${folder} has no release that can be read. Run \`npm run build\` and \`npm run release -- ${shared}\`.`
        : "The pages aren't built. Run `npm run build`.",
    );
  return ok("build", `${build.id} of ${new Date(build.timestamp).toISOString().slice(0, 10)}.`);
};

/** Everything that isn't the database. */
export const checkServices = async (config: Config): Promise<readonly Finding[]> => {
  const found = await Promise.all([
    attempt("redis", () => checkRedis(config), serviceFault),
    attempt("smtp", () => checkSmtp(config), serviceFault),
    attempt("build", () => checkBuild(config), serviceFault),
  ]);
  return found.flat();
};
