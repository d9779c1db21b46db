import type { KeyScope } from "@purser/contract/auth/keyScopes";
import type { Access } from "@purser/contract/auth/permissions";
import {
  type Endpoint,
  type Input,
  isForServiceAccounts,
  isKeyed,
  type Reply,
  successOf,
} from "@purser/contract/http/endpoint";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Actor } from "../audit/context.ts";
import type { CallingKey } from "../auth/apiKeys.ts";
import { networkOf } from "../auth/attempts.ts";
import { withProofAboveLimit } from "../auth/confirmation/proof.ts";
import { answerPreflight } from "../auth/crossOrigin.ts";
import type { Session } from "../auth/sessions/sessions.ts";
import type { Db } from "../db/db.ts";
import type { Enqueue } from "../jobs/queues.ts";
import type { Paging } from "../lists/list.ts";
import type { Platform } from "../platform.ts";
import type { ApprovalGate, OpenApprovalGate, Requester } from "./approvalGate.ts";
import { countsInTurn, dbOfCall } from "./calls/callConnections.ts";
import { cancelReads } from "./calls/callerGone.ts";
import { actorOf, change } from "./calls/change.ts";
import { inTime } from "./calls/deadline.ts";
import { encoderOf } from "./calls/encode.ts";
import { type Answer, answerOnce, parseKey, versionOf } from "./calls/idempotency.ts";
import { type Given, parseInput } from "./calls/input.ts";
import {
  type AssertVersion,
  hasCheckedVersion,
  unversioned,
  versionCheck,
} from "./calls/versions.ts";

declare module "fastify" {
  interface FastifyInstance {
    platform: Platform;
    openApprovalGate: OpenApprovalGate;
    /** The reads, by path. */
    reads: Map<string, Read>;
    /** The writes, by method and path, for a write that runs another one. */
    writes: Map<string, Write>;
  }
}

type Caller<E extends Endpoint> = E["permission"] extends "anyone" | "provider"
  ? { session: null; key: null }
  : E["permission"] extends "app key"
    ? { session: null; key: CallingKey }
    : E["keyScope"] extends KeyScope
      ? { session: Session; key: null } | { session: null; key: CallingKey }
      : { session: Session; key: null };

export type Call<E extends Endpoint> = Input<E> &
  Caller<E> & {
    /** The user's part of the pool for a read. For a write, only its transaction, which knows the actor. */
    db: Db;
    now: Date;
    assertVersion: AssertVersion;
    paging: Paging;
    /** In the transaction of a write, and rolled back with it. */
    enqueue: Enqueue;
    /** Refuses what requires approval. A handler calls it after all other checks. */
    requireApproval: ApprovalGate;
    /** Sends statements with the commit. Null for a read, and for a write within another one. */
    lastly: ((last: Last) => void) | null;
    request: FastifyRequest;
    reply: FastifyReply;
  };

/** A statement without values, and what to throw if it fails. It locks rows that others wait for. */
export type Last = { text: string; problemOf: (error: unknown) => unknown };

type Read = {
  permission: Access;
  /** The encoded reply for the user of the request. */
  answer: (exchange: Exchange) => Promise<unknown>;
};

/** A write in the transaction of another one, by the same rules, for the same caller. */
type Within = Exchange & {
  given: Given;
  version: number | null;
  db: Db;
  requireApproval: ApprovalGate;
};

type Write = { endpoint: Endpoint; run: (within: Within) => Promise<Answer> };

/** For a handler that opens its own transactions, because it stores something even when it refuses. */
type Steps = { change: <T>(work: (db: Db) => Promise<T>, actor?: Actor) => Promise<T> };

const requesterOf = (
  { session, now }: FastifyRequest,
  { permission }: Pick<Endpoint, "permission">,
): Requester => ({
  userId: session?.userId ?? null,
  permission,
  now,
});

const send = (reply: FastifyReply, { status, body, version, replayed }: Answer) => {
  const etag = reply.getHeader("etag");
  if (etag !== undefined && reply.request.headers["if-none-match"] === etag)
    return reply.code(304).send();
  if (version !== undefined && etag === undefined) reply.header("etag", `"${version}"`);
  if (replayed) reply.header("idempotent-replayed", "true");
  reply.code(status);
  return body === "" ? reply.send() : reply.type("application/json; charset=utf-8").send(body);
};

const encodingOf = ({ reply }: Endpoint) => (reply ? encoderOf(reply) : null);

type Replies = {
  /** The handler returns the same object again for the same reply, so that it is encoded once. */
  repeats?: true;
};

const replier = <E extends Endpoint>(endpoint: E, { repeats }: Replies = {}) => {
  const status = successOf(endpoint);
  const encode = encodingOf(endpoint);
  const known = new WeakMap<object, Answer>();
  return (request: FastifyRequest, result: Reply<E>): Answer => {
    if (endpoint.versioned && !hasCheckedVersion(request))
      throw new Error(
        `${endpoint.method} ${endpoint.path} changed something without assertVersion.`,
      );
    if (!encode) return { status, body: "" };
    const repeated = repeats && known.get(result as object);
    if (repeated) return repeated;
    const encoded = encode(result);
    const answer = { status, body: JSON.stringify(encoded), version: versionOf(encoded) };
    if (repeats) known.set(result as object, answer);
    return answer;
  };
};

type Exchange = {
  request: FastifyRequest;
  reply: FastifyReply;
  given?: Given;
  version?: number | null;
};

/** What a handler gets of a request, parsed with the contract. */
export const callOf = <E extends Endpoint>(
  { platform: { config, company, pools, queues, listSizes }, openApprovalGate }: FastifyInstance,
  endpoint: E,
  { request, reply, given = request, version = null }: Exchange,
): Call<E> => {
  const input = parseInput(endpoint, given);
  const db = dbOfCall(pools, endpoint, { request, reply });
  return {
    ...input,
    ...({ session: request.session, key: request.callingKey } as Caller<E>),
    db,
    now: request.now,
    assertVersion: endpoint.versioned ? versionCheck(request, version) : unversioned,
    paging: {
      now: request.now,
      zone: company.current().timeZone,
      cursorKeys: config.SECRET_KEYS,
      countInTurn: countsInTurn(pools, { request, reply }),
      sizes: listSizes,
    },
    enqueue: queues.enqueueIn(db),
    requireApproval: withProofAboveLimit(
      openApprovalGate(db, requesterOf(request, endpoint)),
      endpoint,
      { db, request },
    ),
    lastly: null,
    request,
    reply,
  };
};

const routePreflight = (app: FastifyInstance, path: string) =>
  app.route({
    method: "OPTIONS",
    url: `/api${path}`,
    config: { permission: "anyone", publishable: true },
    handler: (request, reply) => {
      app.platform.keyLimits.countNetwork(networkOf(request.ip));
      return answerPreflight(app.platform.db, request, reply);
    },
  });

/** What the guard checks before a route answers. */
export const accessOf = (endpoint: Endpoint) => {
  const { permission, beforeTwoFactor, optionalSession, publishable, keyScope, proof } = endpoint;
  return {
    permission,
    ...(optionalSession && { optionalSession }),
    ...(publishable && { publishable }),
    ...(keyScope && { keyScope }),
    ...(beforeTwoFactor && { beforeTwoFactor }),
    ...(isForServiceAccounts(endpoint) && { serviceAccounts: true }),
    ...(proof && { proof }),
  };
};

const route = <E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  answer: (call: Call<E>) => Promise<Answer>,
) => {
  const { method, path, bodyKbMax, publishable } = endpoint;
  if (publishable) routePreflight(app, path);
  app.route({
    method,
    url: `/api${path}`,
    config: accessOf(endpoint),
    ...(bodyKbMax && { bodyLimit: bodyKbMax * 1024 }),
    handler: async (request, reply) => {
      const answered = answer(callOf(app, endpoint, { request, reply }));
      try {
        const done = await inTime(answered, app.platform.config.REQUEST_TIMEOUT_MS);
        // A check that names it as minVersion is answered with this change.
        if (method !== "GET") reply.header("purser-version", app.platform.now().getTime());
        return send(reply, done);
      } catch (error) {
        cancelReads(reply);
        throw error;
      }
    },
  });
};

/** Serves an endpoint of the contract: parses, opens the transaction of a write, handles the key, encodes. */
export const serve = <const E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  handler: (call: Call<E>) => Promise<Reply<E>>,
  replies: Replies = {},
) => {
  const { platform } = app;
  const { method, path } = endpoint;
  const replyOf = replier(endpoint, replies);
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
    const { announcements } = platform;
    const lasts: Last[] = [];
    const lastly = (last: Last) => void lasts.push(last);
    const inTransaction = async (db: Db) => {
      const enqueue = platform.queues.enqueueIn(db);
      const gate = app.openApprovalGate(db, requesterOf(request, endpoint));
      const requireApproval = withProofAboveLimit(gate, endpoint, { db, request });
      const work = async () =>
        replyOf(request, await handler({ ...call, db, enqueue, requireApproval, lastly }));
      if (key === null) return work();
      const { kind, id } = actorOf(request);
      const keyed = {
        keys: platform.config.SECRET_KEYS,
        caller: `${kind}:${id}`,
        operation: `${method} ${path}`,
        key,
        request: [params, query, body, request.headers["if-match"]],
        now,
      };
      return answerOnce(db, keyed, work);
    };
    return change({ db: call.db, announcements }, { request, body }, inTransaction, {
      lastOf: ({ storing = "" }) => [...lasts.map(({ text }) => `${text};`), storing].join(" "),
    }).catch((error) => {
      throw lasts.reduce((thrown, { problemOf }) => problemOf(thrown), error);
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
  const { announcements } = app.platform;
  return route(app, endpoint, async (call) => {
    const steps: Steps = {
      change: (work, actor) =>
        change({ db: call.db, announcements }, call, work, actor ? { actor } : {}),
    };
    return replyOf(call.request, await handler({ ...call, ...steps }));
  });
};

/** The write of an endpoint, for a handler that runs it as part of its own. */
export const writeOf = ({ writes }: FastifyInstance, { method, path }: Endpoint): Write => {
  const write = writes.get(`${method} ${path}`);
  if (!write) throw new Error(`Nothing answers ${method} ${path}.`);
  return write;
};

/** The read of an endpoint, for a reply that includes it. */
export const answerRead = ({ reads }: FastifyInstance, path: string): Read => {
  const read = reads.get(path);
  if (!read) throw new Error(`Nothing answers GET ${path}.`);
  return read;
};
