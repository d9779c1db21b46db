import { createHash, randomBytes } from "node:crypto";
import { fileURLToPath, pathToFileURL } from "node:url";
import staticFiles from "@fastify/static";
import { isPayloadUrl } from "@purser/contract/pages/payload";
import { builtRoutes, matchPage, renamedPages } from "@purser/contract/pages/routes";
import {
  manifestDelayMs,
  type Runtime,
  reloadGuardMs,
  runtime as runtimeSchema,
} from "@purser/contract/pages/runtime";
import { testPath } from "@purser/contract/testMode/paths";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Platform } from "#platform/platform.ts";
import { message } from "../../messages.ts";
import { version } from "../../system/version.ts";
import { sendProblem } from "../errors.ts";
import { allowPage, type Hosts } from "../headers.ts";
import { Problem } from "../problem.ts";
import { placesOf } from "../publicUrls.ts";
import { pageNotFound, payloadRoutes } from "./payloads.ts";
import { followReleases, openReleases, type Release } from "./releases.ts";

const root = new URL("../../../../../", import.meta.url);
const built = new URL("web/dist/assets/", root);
const nonceMark = "%NONCE%";
const runtimeMark = '"%RUNTIME%"';
const filesMark = '"./assets/';
// Answers under pressure too: a page is cheap, and more helpful than a problem.
const anyone = { config: { permission: "anyone" as const, pressureHandler: () => undefined } };

type Settings = Omit<Runtime, "build" | "clockAheadMs">;

/** The first page of the other mode. */
const otherModeOf = ({ config, testMode }: Pick<Platform, "config" | "testMode">) => {
  if (testMode) return `${config.BASE_PATH.slice(0, -testPath.length)}/`;
  return config.TEST_MODE_DATABASE_URL ? `${config.BASE_PATH}${testPath}/` : "";
};

const settingsOf = ({ config, company, testMode }: Platform): Settings => ({
  company: company.current().name,
  environment: config.ENVIRONMENT,
  mode: testMode ? "test" : "live",
  otherMode: otherModeOf({ config, testMode }),
  version,
  companyTimeZone: company.current().timeZone,
  ...placesOf(config),
  versionCheck: { manifestDelayMs, intervalMs: config.VERSION_CHECK_SECONDS * 1000 },
  reloadGuardMs,
  traces: config.TRACES_URL !== undefined,
  icons: {
    provider: config.ICON_PROVIDER,
    localEndpoint: `${config.BASE_PATH}/icons`,
    publicEndpoint: config.ICON_SERVICE_URL,
    fallback: config.ICON_FALLBACK,
  },
});

/** The other hosts that the configuration allows. */
const hostsOf = ({ assetsBaseUrl, icons }: Settings): Hosts => {
  const asksPublic =
    icons.provider === "iconify" || (icons.provider === "server" && icons.fallback);
  return {
    files: assetsBaseUrl.startsWith("/") ? [] : [new URL(assetsBaseUrl).origin],
    icons: asksPublic ? [new URL(icons.publicEndpoint).origin] : [],
  };
};

/** Escaped for a script element, so that no value can close it. */
const written = (value: Runtime) => JSON.stringify(value).replaceAll("<", "\\u003c");

const inlineScripts = /<script(?: nonce="[^"]*")?>(?<code>.*?)<\/script>/gs;

const hashesOf = (frame: string) =>
  [...frame.matchAll(inlineScripts)].map(({ groups }) =>
    createHash("sha256")
      .update(groups?.["code"] ?? "")
      .digest("base64"),
  );

/** The page of a release without the nonce, the hashes of its scripts, and its ETag. */
const documentOf = (
  { id, timestamp, page }: Release,
  { clockAheadMs, ...settings }: Settings & { clockAheadMs: number },
) => {
  const runtime = written(
    runtimeSchema.parse({ ...settings, clockAheadMs, build: { id, timestamp } }),
  );
  const frame = page.replaceAll(filesMark, () => `"${settings.assetsBaseUrl}`);
  const mark = createHash("sha256").update(frame).update(runtime).digest("hex").slice(0, 32);
  return {
    id,
    clockAheadMs,
    // Weak, because pages with different nonces share it.
    etag: `W/"${mark}"`,
    isKnownIn: (condition = "") => condition.includes(`"${mark}"`),
    scripts: hashesOf(frame),
    // The configuration is inserted last, so that its text is never taken for a placeholder.
    htmlWith: (nonce: string) =>
      frame.replaceAll(nonceMark, nonce).replace(runtimeMark, () => runtime),
  };
};

/** Shown if the page can't be created. It needs no file and no script. */
const brokenPage = `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Internal Server Error</title>
<main><p>500</p><h1>Internal Server Error</h1>
<p>Something went wrong. Your saved data is safe. <a href="">Try again</a> in a moment.</p></main>
</html>
`;

// Paths below these are never pages.
const elsewhere = /^\/(api|assets|icons|healthz|readyz)(\/|\?|$)/;

const isRead = ({ method }: FastifyRequest) => method === "GET" || method === "HEAD";

/** Also a tool that accepts anything and doesn't ask for JSON. A payload is data, whatever is accepted. */
const wantsPage = ({ headers: { accept = "*/*" }, originalUrl }: FastifyRequest) => {
  if (isPayloadUrl(originalUrl)) return false;
  return accept.includes("text/html") || (accept.includes("*/*") && !accept.includes("json"));
};

/** `/apps/view/$id` in the syntax of the framework. A plain parameter could also be empty. */
const patternOf = (path: string) => path.replace(/\$(\w+)/g, ":$1(.+)");

/** The path below the base path as the browser sent it, or null outside of it and for payloads, which are no pages. */
const askedPath = ({ originalUrl }: FastifyRequest, basePath: string) => {
  const [path = "/", ...rest] = originalUrl.split("?");
  const query = rest.length > 0 ? `?${rest.join("?")}` : "";
  if (path !== basePath && !path.startsWith(`${basePath}/`)) return null;
  if (isPayloadUrl(path)) return null;
  return { path: path.slice(basePath.length) || "/", query };
};

/** The only spelling of a path that is served. Others, such as `//builds`, would get past the check of the folder. */
const canonicalFile = /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/;

/** The files of builds. Those with a hash in their name are immutable; the name of the newest build is never cached. */
const fileRoutes = async (app: FastifyInstance, folder: URL) => {
  await app.register(staticFiles, {
    root: fileURLToPath(folder),
    serve: false,
    preCompressed: true,
  });
  app.get<{ Params: { "*": string } }>("/assets/*", anyone, (request, reply) => {
    const file = request.params["*"];
    if (file === "builds/latest.json") return reply.sendFile(file, { cacheControl: false });
    // The pages have placeholders that only this server fills in.
    if (!canonicalFile.test(file) || file.startsWith("builds/pages/")) return reply.callNotFound();
    return reply.sendFile(file, { immutable: true, maxAge: "1y" });
  });
};

/** Answers a missing file as text, so that it is neither run as a script nor cached. */
const sendMissingFile = (request: FastifyRequest, reply: FastifyReply) => {
  const problem = new Problem(
    "not_found",
    message("file_not_found", "File not found. It may belong to an older release."),
  );
  if (request.url.endsWith(".json")) return sendProblem(request, reply, problem);
  return reply.code(404).type("text/plain; charset=utf-8").send(`${problem.message}\n`);
};

/**
 * Serves the files of builds, the payloads, and the page at each path of the route table, with a new nonce each time.
 * Returns the handler for all other paths, which returns null if the path can't be a page.
 */
export const pageRoutes = async (app: FastifyInstance) => {
  const { config, company, testMode } = app.platform;
  const store = config.RELEASE_STORE ? pathToFileURL(`${config.RELEASE_STORE}/`) : built;
  const settings = settingsOf(app.platform);
  const hosts = hostsOf(settings);
  // Fails at the start if the configuration is wrong, not at the first visit.
  runtimeSchema.omit({ build: true, clockAheadMs: true }).parse(settings);
  const releases = openReleases(store, (error) =>
    app.log.error({ err: error }, "can't read the builds, run `npm run build` or release again"),
  );
  followReleases(app, releases);
  await fileRoutes(app, store);
  payloadRoutes(app, releases);

  let last: ReturnType<typeof documentOf> | null = null;
  let of = company.current();
  const currentDocument = () => {
    const release = releases.latest();
    const clockAheadMs = testMode?.clock.aheadMs() ?? 0;
    const isCurrent =
      last?.id === release?.id && last?.clockAheadMs === clockAheadMs && of === company.current();
    if (release && !isCurrent) {
      of = company.current();
      const { name, timeZone } = of;
      last = documentOf(release, {
        ...settings,
        company: name,
        companyTimeZone: timeZone,
        clockAheadMs,
      });
    }
    return last;
  };

  const sendPage = (reply: FastifyReply, page = currentDocument()) => {
    reply.type("text/html; charset=utf-8");
    if (!page) return reply.code(500).header("cache-control", "no-store").send(brokenPage);
    const nonce = randomBytes(16).toString("base64");
    return allowPage(reply, { nonce, scripts: page.scripts }, hosts).send(page.htmlWith(nonce));
  };

  const sendKnownPage = ({ headers, method }: FastifyRequest, reply: FastifyReply) => {
    const page = currentDocument();
    if (!page) return sendPage(reply);
    reply.headers({ "cache-control": "no-cache", etag: page.etag });
    const isKnown = page.isKnownIn(headers["if-none-match"]);
    if (!isKnown && method !== "HEAD") return sendPage(reply, page);
    // Both replies update the headers of a cached page. A new nonce would not match that page.
    reply.removeHeader("content-security-policy");
    return isKnown ? reply.code(304).send() : reply.type("text/html; charset=utf-8").send();
  };

  const show = (request: FastifyRequest, reply: FastifyReply): FastifyReply | null => {
    if (request.url.startsWith("/assets/")) return sendMissingFile(request, reply);
    if (elsewhere.test(request.url) || !isRead(request)) return null;
    const asked = askedPath(request, config.BASE_PATH);
    const match = asked && matchPage(renamedPages[asked.path] ?? asked.path);
    if (asked && match?.canonical === asked.path) return sendKnownPage(request, reply);
    if (asked && match)
      return reply.redirect(`${config.BASE_PATH}${match.canonical}${asked.query}`, 308);
    if (wantsPage(request)) return sendPage(reply.code(404));
    return sendProblem(request, reply, pageNotFound(request));
  };
  for (const path of builtRoutes)
    app.get(patternOf(path), anyone, async (request, reply) => {
      const shown = show(request, reply);
      return shown ?? reply.callNotFound();
    });
  return show;
};
