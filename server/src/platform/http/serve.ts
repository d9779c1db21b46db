import type { Access } from "@purser/contract/auth/permissions";
import {
  type Endpoint,
  type Input,
  isKeyed,
  type Reply,
  successOf,
} from "@purser/contract/http/endpoint";
import type { FieldError } from "@purser/contract/http/problem";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { type Actor, transact } from "../audit/context.ts";
import type { CallingKey } from "../auth/apiKeys.ts";
import type { Session } from "../auth/sessions/sessions.ts";
import type { Db } from "../db/db.ts";
import type { Enqueue } from "../jobs/queues.ts";
import type { Paging } from "../lists/page.ts";
import type { Platform } from "../platform.ts";
import { type ApprovalGate, createApprovalGate } from "./approvalGate.ts";
import { encoderOf } from "./calls/encode.ts";
import { type Answer, answerOnce, keyPattern, versionOf } from "./calls/idempotency.ts";
import { Problem } from "./problem.ts";

declare module "fastify" {
  interface FastifyInstance {
    platform: Platform;
    /** What reads answer, by their paths. */
    reads: Map<string, Read>;
    /** What writes do, by their methods and paths, for a write that does another one. */
    writes: Map<string, Write>;
  }
}

type Caller<E extends Endpoint> = E["permission"] extends "anyone" | "provider"
  ? { session: null; key: null }
  : E["permission"] extends "app key"
    ? { session: null; key: CallingKey }
    : { session: Session; key: null };

export type Call<E extends Endpoint> = Input<E> &
  Caller<E> & {
    /** A read gets the pool. A write gets a transaction that knows its actor, and nothing else. */
    db: Db;
    now: Date;
    /**
     * Refuses a change that was made from another version than the stored one, showing that one. The
     * handler of a versioned endpoint must ask; one that forgets fails instead of overwriting.
     */
    assertVersion: <Row extends { version: number }>(current: Row, shown: z.ZodType<Row>) => Row;
    paging: Paging;
    /** Within the write's transaction: rolled back with it. */
    enqueue: Enqueue;
    /** Refuses what the company wants two people for. A handler asks once it knows that all else is right. */
    requireApproval: ApprovalGate;
    request: FastifyRequest;
    reply: FastifyReply;
  };

type Read = {
  permission: Access;
  /** The reply as it travels, to whoever the request is from. */
  answer: (exchange: Exchange) => Promise<unknown>;
};

/** One write within another's transaction, by the same rules, on behalf of whoever calls. */
type Within = Exchange & {
  given: Given;
  version: number | null;
  db: Db;
  requireApproval: ApprovalGate;
};

type Write = { endpoint: Endpoint; run: (within: Within) => Promise<Answer> };

/** A call whose handler opens its own transactions, because it stores something even when it refuses. */
type Steps = { change: <T>(work: (db: Db) => Promise<T>, actor?: Actor) => Promise<T> };

const parts = ["params", "query", "body"] as const;
const places = { params: "path", query: "query", body: "body" } as const;

const fieldErrors = (part: (typeof parts)[number], error: z.ZodError): FieldError[] =>
  error.issues.flatMap((issue) => {
    const unknown = issue.code === "unrecognized_keys" ? issue.keys : [];
    const paths = unknown.length > 0 ? unknown.map((key) => [...issue.path, key]) : [issue.path];
    return paths.map((path) => ({
      in: places[part],
      pointer: path
        .map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`)
        .join(""),
      code: issue.code,
      message: issue.message,
    }));
  });

// A message is either a sentence of its own, or what the named value must be.
const sentenceOf = (error: FieldError | undefined) => {
  const { pointer = "", message = "" } = error ?? {};
  if (/^[A-Z]/.test(message)) return message.endsWith(".") ? message : `${message}.`;
  return `${pointer ? `"${pointer.slice(1)}"` : "The request"} ${message}.`;
};

type Given = { params?: unknown; query?: unknown; body?: unknown };

const parseInput = <E extends Endpoint>(endpoint: E, given: Given): Input<E> => {
  const input: Record<string, unknown> = {};
  const errors: FieldError[] = [];
  for (const part of parts) {
    const schema = endpoint[part];
    if (!schema) continue;
    const parsed = schema.safeParse(given[part] ?? (part === "body" ? undefined : {}));
    if (parsed.success) input[part] = parsed.data;
    else errors.push(...fieldErrors(part, parsed.error));
  }
  if (errors.length === 0) return input as Input<E>;
  const more = errors.length > 1 ? ` ${errors.length - 1} more need to change.` : "";
  throw new Problem("invalid", `${sentenceOf(errors[0])}${more}`, { errors });
};

const parseVersion = (request: FastifyRequest) => {
  const given = request.headers["if-match"];
  if (given === undefined)
    throw new Problem("version_missing", "Send the ETag that you read as If-Match.");
  const match = /^"([1-9]\d{0,8})"$/.exec(given);
  if (!match)
    throw new Problem("invalid", 'If-Match must be one ETag of ours, such as "3".', {
      errors: [{ in: "header", pointer: "/if-match", code: "format", message: "must be one ETag" }],
    });
  return Number(match[1]);
};

const checkedVersions = new WeakSet<FastifyRequest>();

const versionCheck = (
  request: FastifyRequest,
  given: number | null,
): Call<Endpoint>["assertVersion"] => {
  const version = given ?? parseVersion(request);
  return (current, shown) => {
    checkedVersions.add(request);
    if (current.version === version) return current;
    throw new Problem(
      "stale_version",
      "Somebody saved it since you read it. Compare with the current version and save again.",
      { current: z.encode(shown, current) },
    );
  };
};

const unversioned = () => {
  throw new Error("The endpoint does not say that it is versioned.");
};

const parseKey = (request: FastifyRequest) => {
  const key = request.headers["idempotency-key"];
  if (typeof key === "string" && keyPattern.test(key)) return key;
  throw new Problem(
    "idempotency_key_missing",
    "Send an Idempotency-Key of 8 to 255 visible characters, new for each thing you do.",
  );
};

const actorOf = ({ session, callingKey }: FastifyRequest): Actor => {
  if (session) return { kind: "user", id: session.userId, name: session.name };
  if (callingKey) return { kind: "key", id: callingKey.id, name: "app key" };
  return { kind: "system", id: null, name: "sign-in" };
};

const aloneOf = ({ session }: FastifyRequest, { permission }: Endpoint) => ({
  userId: session?.userId ?? null,
  permission,
});

const reasonOf = (body: unknown) =>
  body && typeof body === "object" && "reason" in body && typeof body.reason === "string"
    ? body.reason
    : null;

const send = (reply: FastifyReply, { status, body, version, replayed }: Answer) => {
  if (version !== undefined) reply.header("etag", `"${version}"`);
  if (replayed) reply.header("idempotent-replayed", "true");
  reply.code(status);
  return body === "" ? reply.send() : reply.type("application/json; charset=utf-8").send(body);
};

const encodingOf = ({ reply }: Endpoint) => (reply ? encoderOf(reply) : null);

const replier = <E extends Endpoint>(endpoint: E) => {
  const status = successOf(endpoint);
  const encode = encodingOf(endpoint);
  return (request: FastifyRequest, result: Reply<E>): Answer => {
    if (endpoint.versioned && !checkedVersions.has(request))
      throw new Error(
        `${endpoint.method} ${endpoint.path} changed something without assertVersion.`,
      );
    if (!encode) return { status, body: "" };
    const encoded = encode(result);
    return { status, body: JSON.stringify(encoded), version: versionOf(encoded) };
  };
};

type Exchange = {
  request: FastifyRequest;
  reply: FastifyReply;
  given?: Given;
  version?: number | null;
};

/** What a handler gets of a request: parsed by the contract, or refused. */
export const callOf = <E extends Endpoint>(
  { platform: { config, company, db, queues } }: FastifyInstance,
  endpoint: E,
  { request, reply, given = request, version = null }: Exchange,
): Call<E> => ({
  ...parseInput(endpoint, given),
  ...({ session: request.session, key: request.callingKey } as Caller<E>),
  db,
  now: request.now,
  assertVersion: endpoint.versioned ? versionCheck(request, version) : unversioned,
  paging: { now: request.now, zone: company.current().timeZone, cursorKey: config.SECRET_KEY },
  enqueue: queues.enqueueIn(db),
  requireApproval: createApprovalGate(db, aloneOf(request, endpoint)),
  request,
  reply,
});

/** One transaction that knows who acts and why; what it changed is announced once it is committed. */
const change = async <T>(
  { db, announcements }: Platform,
  { request, body }: { request: FastifyRequest; body: unknown },
  work: (db: Db) => Promise<T>,
  actor: Actor = actorOf(request),
): Promise<T> => {
  const context = {
    actor,
    address: request.ip,
    requestId: request.id,
    reason: reasonOf(body),
  };
  const { result, changed } = await transact(db, context, work).catch(async (error) => {
    if (error instanceof Problem && error.afterwards) {
      const stored = await transact(db, context, error.afterwards);
      void announcements.announce(stored.changed);
    }
    throw error;
  });
  // Not waited for: a save never hangs on Redis.
  void announcements.announce(changed);
  return result;
};

const tooLate = () =>
  new Problem(
    "unavailable",
    "The answer took too long. Try again, a POST with the same Idempotency-Key.",
    { retryAfterSeconds: 5 },
  );

// The framework's own limit stops watching once a body was read. What runs on may still be committed;
// its key then gives the answer.
const inTime = <T>(answer: Promise<T>, answerMs: number) => {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(tooLate()), answerMs);
  return Promise.race([answer, promise]).finally(() => clearTimeout(timer));
};

const route = <E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  answer: (call: Call<E>) => Promise<Answer>,
) => {
  const { method, path, permission, beforeSecondFactor = false, bodyKbMax } = endpoint;
  app.route({
    method,
    url: `/api${path}`,
    config: { permission, beforeSecondFactor },
    ...(bodyKbMax && { bodyLimit: bodyKbMax * 1024 }),
    handler: async (request, reply) => {
      const answered = answer(callOf(app, endpoint, { request, reply }));
      return send(reply, await inTime(answered, app.platform.config.ANSWER_WITHIN_MS));
    },
  });
};

/** Serves one endpoint of the contract: parses, opens the transaction of a write, repeats safely, encodes. */
export const serve = <const E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  handler: (call: Call<E>) => Promise<Reply<E>>,
) => {
  const { platform } = app;
  const { method, path } = endpoint;
  const replyOf = replier(endpoint);
  if (method === "GET") {
    const encode = encodingOf(endpoint);
    app.reads.set(path, {
      permission: endpoint.permission,
      answer: async (exchange) => encode?.(await handler(callOf(app, endpoint, exchange))),
    });
    return route(app, endpoint, async (call) => replyOf(call.request, await handler(call)));
  }

  app.writes.set(`${method} ${path}`, {
    endpoint,
    run: async ({ db, requireApproval, ...exchange }) => {
      const enqueue = platform.queues.enqueueIn(db);
      const call = { ...callOf(app, endpoint, exchange), db, enqueue, requireApproval };
      return replyOf(call.request, await handler(call));
    },
  });

  return route(app, endpoint, (call) => {
    const { request, params, query, body, now } = call;
    const key = isKeyed(endpoint) ? parseKey(request) : null;
    return change(platform, { request, body }, async (db) => {
      const enqueue = platform.queues.enqueueIn(db);
      const requireApproval = createApprovalGate(db, aloneOf(request, endpoint));
      const work = async () =>
        replyOf(request, await handler({ ...call, db, enqueue, requireApproval }));
      if (key === null) return work();
      const { kind, id } = actorOf(request);
      const keyed = {
        secretKey: platform.config.SECRET_KEY,
        caller: `${kind}:${id}`,
        operation: `${method} ${path}`,
        key,
        request: [params, query, body, request.headers["if-match"]],
        now,
      };
      return answerOnce(db, keyed, work);
    });
  });
};

/** Serves an endpoint whose handler opens its own transactions. */
export const serveInSteps = <const E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  handler: (call: Call<E> & Steps) => Promise<Reply<E>>,
) => {
  const replyOf = replier(endpoint);
  return route(app, endpoint, async (call) => {
    const steps: Steps = {
      change: (work, actor) => change(app.platform, call, work, actor),
    };
    return replyOf(call.request, await handler({ ...call, ...steps }));
  });
};

/** A write as its endpoint does it, for another one that does it too. */
export const writeOf = ({ writes }: FastifyInstance, { method, path }: Endpoint): Write => {
  const write = writes.get(`${method} ${path}`);
  if (!write) throw new Error(`Nothing answers ${method} ${path}.`);
  return write;
};

/** A read as its endpoint answers it, for another answer that holds it too. */
export const answerRead = ({ reads }: FastifyInstance, path: string): Read => {
  const read = reads.get(path);
  if (!read) throw new Error(`Nothing answers GET ${path}.`);
  return read;
};
