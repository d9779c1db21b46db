import { isUtf8 } from "node:buffer";
import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import compress, { type FastifyCompressOptions } from "@fastify/compress";
import cookie from "@fastify/cookie";
import underPressure from "@fastify/under-pressure";
import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from "fastify";
import { openKeys } from "../auth/apiKeys.ts";
import { networkOf } from "../auth/attempts.ts";
import { guard } from "../auth/guard.ts";
import { message } from "../messages.ts";
import type { Platform } from "../platform.ts";
import type { ModeRouter } from "../testMode/modeRouter.ts";
import { traceRequests } from "../tracing/tracing.ts";
import type { OpenApprovalGate } from "./approvalGate.ts";
import { answerErrors, problemOf, sendProblem } from "./errors.ts";
import { secureHeaders, setHeaders } from "./headers.ts";
import { healthRoutes } from "./health.ts";
import { Problem } from "./problem.ts";
import { innerUrl } from "./publicUrls.ts";
import { repeatsKey } from "./repeatedKeys.ts";
import { answerUnreadable } from "./unreadable.ts";

/** PostgreSQL counts wrong passwords and codes. This only limits floods. */
const anonymousPerMinute = 120;
/** Reads need no limit, and preflight requests have one of their own. */
const unlimited = new Set(["GET", "HEAD", "OPTIONS"]);

const emptyServer = (platform: Platform, router: ModeRouter | null): FastifyInstance => {
  const toInner = innerUrl(platform.config);
  return fastify({
    loggerInstance: platform.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    trustProxy:
      platform.config.TRUSTED_PROXIES.length > 0 ? platform.config.TRUSTED_PROXIES : false,
    bodyLimit: 64 * 1024,
    requestTimeout: 30_000,
    keepAliveTimeout: 65_000,
    maxRequestsPerSocket: 1000,
    forceCloseConnections: "idle",
    http: { maxHeaderSize: 16 * 1024, headersTimeout: 15_000 },
    routerOptions: { maxParamLength: 1000, ignoreTrailingSlash: false },
    ...(router && { serverFactory: router.serverFactory }),
    rewriteUrl: ({ url = "/" }) => toInner(url),
    clientErrorHandler: answerUnreadable,
    return503OnClosing: true,
    frameworkErrors: (error, request, reply) =>
      sendProblem(
        request,
        setHeaders(request, reply),
        problemOf(error, () => undefined),
      ),
  });
};

// Hooks of every request call `done`, because waiting for a promise that has nothing to wait for costs more than most of
// them do.

/** One line per request with user, route, status and problem, and never the data that was sent. */
const logRequests = (app: FastifyInstance) =>
  app.addHook("onResponse", (request, reply, done) => {
    const { problem } = request;
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? "unknown",
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        ...(request.session && { user: request.session.userId }),
        ...(request.session?.key && { key: request.session.key.id }),
        ...(problem && { problem: problem.code, detail: problem.loggedDetail }),
      },
      "request",
    );
    done();
  });

const byteOrderMark = "\ufeff";

/** What the parser would accept, but other programs read differently or not at all. */
const refusalOfText = (text: string) =>
  text.startsWith(byteOrderMark)
    ? new Problem(
        "malformed",
        message(
          "body_byte_order_mark",
          "The request body starts with a byte order mark. Send it without one.",
        ),
      )
    : null;

const refusalOfValue = (text: string, value: unknown) =>
  repeatsKey(text, value)
    ? new Problem(
        "malformed",
        message("body_key_repeated", "The request body has a key twice. Send each key once."),
      )
    : null;

/** Refuses invalid UTF-8, because decoding it would replace characters. */
const takeOnlyJson = (app: FastifyInstance) => {
  const parse = app.getDefaultJsonParser("error", "error");
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>(
    "application/json",
    { parseAs: "buffer" },
    (request, body, done) => {
      if (request.routeOptions.config.permission === "provider") request.signed = body;
      if (!isUtf8(body))
        return done(
          new Problem("malformed", message("body_not_utf8", "The body isn't valid UTF-8.")),
        );
      const text = body.toString("utf8");
      const refusal = refusalOfText(text);
      if (refusal) return done(refusal);
      void parse(request, text, (error, value) =>
        error ? done(error) : done(refusalOfValue(text, value), value),
      );
    },
  );
};

/** Per network and route, before the body is read. */
const limitAnonymous = (app: FastifyInstance) =>
  app.addHook("onRequest", ({ method, ip, routeOptions: { config, url = "" } }, _reply, done) => {
    if (config.permission === "anyone" && !unlimited.has(method))
      app.platform.networkLimits.count(`${method} ${url}`, networkOf(ip), anonymousPerMinute);
    done();
  });

/** How long a connection may still send its first request while the server closes. */
const firstRequestMs = 1000;

/**
 * Browsers open connections in advance. Node waits for their first request until it times out, which would be longer
 * than a shutdown may take.
 */
const endSilentConnectionsWhenClosing = (app: FastifyInstance) => {
  const silent = new Set<Socket>();
  app.server.on("connection", (socket: Socket) => {
    silent.add(socket);
    socket.once("close", () => silent.delete(socket));
  });
  app.server.on("request", ({ socket }: IncomingMessage) => silent.delete(socket));
  app.addHook("preClose", async () => {
    setTimeout(() => {
      // One that is sending its first request ends with it, or when the shutdown has taken too long.
      for (const socket of silent) if (socket.bytesRead === 0) socket.destroy();
    }, firstRequestMs).unref();
  });
};

/** Closes connections after their current reply when the server shuts down. */
const endConnectionsWhenClosing = (app: FastifyInstance) => {
  app.decorate("shutdown", { hasBegun: false, endsStreams: false });
  app.addHook("preClose", async () => {
    app.shutdown.hasBegun = true;
    app.shutdown.endsStreams = true;
  });
  app.addHook("onSend", (_request, reply, _payload, done) => {
    if (app.shutdown.hasBegun) reply.header("connection", "close");
    done();
  });
};

/**
 * Pages and JSON above 1 kB are compressed with settings that cost little time. Streams of events and files aren't, and
 * compressed request bodies are refused.
 */
const compression = {
  threshold: 1024,
  encodings: ["br", "gzip"],
  customTypes: /^(?:text\/html|application\/(?:problem\+)?json)\b/,
  globalDecompression: false,
} satisfies FastifyCompressOptions;

/** A server with everything that runs before the routes. */
export const createServer = async (
  platform: Platform,
  openApprovalGate: OpenApprovalGate,
  {
    writes = new Map(),
    listSources = new Map(),
    router = null,
  }: Partial<Pick<FastifyInstance, "writes" | "listSources"> & { router: ModeRouter | null }> = {},
) => {
  const app = emptyServer(platform, router);
  const { config, pools } = platform;
  app.decorate("platform", platform);
  app.decorate("openApprovalGate", openApprovalGate);
  app.decorate("reads", new Map());
  app.decorate("testModeState", router ? router.state : null);
  app.decorate("writes", writes);
  app.decorate("listSources", listSources);
  traceRequests(app);
  takeOnlyJson(app);
  secureHeaders(app);
  answerErrors(app);
  logRequests(app);
  endConnectionsWhenClosing(app);
  endSilentConnectionsWhenClosing(app);
  await app.register(cookie);
  await app.register(compress, compression);
  await app.register(underPressure, {
    // Only the delay of the event loop matters: a busy loop is fine, a late one keeps users waiting.
    maxEventLoopDelay: config.OVERLOAD_DELAY_MS,
    retryAfter: 5,
    sampleInterval: 1000,
  });
  const { keyLimits, customerTokens, sessions, testMode, now } = platform;
  guard(app, {
    db: pools.checks.db,
    turns: pools.turns.checks,
    origin: config.PUBLIC_URL,
    now,
    keys: openKeys({ ...platform, db: pools.checks.db }),
    keyLimits,
    customerTokens,
    sessions,
    testMode,
    isTest: testMode !== null,
  });
  limitAnonymous(app);
  healthRoutes(app);
  return app;
};
