import type { z } from "zod";
import type { KeyScope } from "../auth/keyScopes.ts";
import type { Access } from "../auth/permissions.ts";
import type { ProblemCode } from "./problem.ts";

/** The connections to the database that a call uses, so that one kind of call can't use up those of another. */
export type PoolName = "checks" | "writes" | "reads";

/** One HTTP call, used by the server, the web and OpenAPI. */
export type Endpoint = {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** Below the API's base URL. */
  path: `/${string}`;
  summary: string;
  permission: Access;
  /** Also answers publishable keys, and browsers of their origins. Other endpoints of apps need a server key. */
  publishable?: true;
  /** Also answers server keys of apps that have this scope, instead of users with the permission. */
  keyScope?: KeyScope;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodObject;
  /** The body of a success; without one it is 204. */
  reply?: z.ZodType;
  /** By default 200 with a reply and 204 without. */
  status?: 200 | 201 | 202;
  /** The caller must send the version it saw with `If-Match`. */
  versioned?: true;
  /** A POST requires an `Idempotency-Key` unless a one-time challenge already prevents repeats. */
  keyed?: false;
  /** Allowed before two-factor authentication is set up, because it is needed to do so. */
  beforeTwoFactor?: true;
  /** Knows the user if there is one, and answers without a session too. */
  optionalSession?: true;
  /** Refusals other than those that follow from the fields above. */
  refusals?: readonly ProblemCode[];
  /** May require approval by the company's rules of this name. */
  approval?: "refund" | "price" | "erase" | "owner" | "grant" | "safeguard";
  /** Other connections than `poolOf` would choose. */
  pool?: PoolName;
  /**
   * Requires that the user confirmed their identity in this session within minutes: always, or only above the limit
   * for refunds.
   */
  proof?: "recent" | "recent above limit";
  /** Whether service accounts can call it, where `isForServiceAccounts` would decide otherwise. */
  serviceAccounts?: boolean;
  /** For bodies larger than 64 kB. */
  bodyKbMax?: number;
  /** The reply is a stream of events. */
  stream?: true;
  /** The reply is a file to download. */
  file?: true;
};

export const endpoint = <const E extends Endpoint>(definition: E): E => definition;

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;
type Sent<S> = S extends z.ZodType ? z.input<S> : undefined;

/** What a handler receives, after parsing. */
export type Input<E extends Endpoint> = {
  params: Parsed<E["params"]>;
  query: Parsed<E["query"]>;
  body: Parsed<E["body"]>;
};

/** What a handler answers with, before encoding. */
// biome-ignore lint/suspicious/noConfusingVoidType: a handler without a reply returns nothing.
export type Reply<E extends Endpoint> = E["reply"] extends z.ZodType ? z.output<E["reply"]> : void;

/** What a caller sends and receives, as plain JSON. */
export type Wire<E extends Endpoint> = {
  params: Sent<E["params"]>;
  query: Sent<E["query"]>;
  body: Sent<E["body"]>;
  reply: Sent<E["reply"]>;
};

/**
 * Service accounts can call what a role permits, except what requires that a person confirmed their identity. What
 * belongs to a person, such as profiles, sessions and approvals, has no permission of a role.
 */
export const isForServiceAccounts = ({ serviceAccounts, permission, proof, stream }: Endpoint) =>
  serviceAccounts ?? (permission.includes(":") && proof !== "recent" && !stream);

export const isKeyed = ({ method, keyed }: Endpoint) => method === "POST" && keyed !== false;

export const successOf = ({ status, reply }: Endpoint) => status ?? (reply ? 200 : 204);

/** Checks of apps, sign-in and everything that it needs come first. Lists, files and all other reads share a pool. */
export const poolOf = ({ pool, method, permission, beforeTwoFactor }: Endpoint): PoolName => {
  if (pool) return pool;
  if (permission === "app key" || permission === "anyone" || beforeTwoFactor) return "checks";
  return method === "GET" ? "reads" : "writes";
};

const guarded = ["unauthenticated", "forbidden"] as const;

/** Whether a user waits for their other calls of this kind, and is refused if too many wait. */
const isQueued = (endpoint: Endpoint) =>
  poolOf(endpoint) !== "checks" && endpoint.permission !== "provider" && !endpoint.stream;

const accessRefusals = ({ permission, beforeTwoFactor }: Endpoint): readonly ProblemCode[] => {
  if (permission === "provider") return ["signature_wrong"];
  if (permission === "anyone") return ["too_many_requests"];
  if (permission === "app key") return [...guarded, "too_many_requests"];
  if (beforeTwoFactor) return guarded;
  return [...guarded, "two_factor_required"];
};

/** Every refusal that this endpoint may answer with. */
export const refusalsOf = (endpoint: Endpoint): ProblemCode[] => {
  const { method, permission, params, query, body, versioned, file, refusals = [] } = endpoint;
  const { approval, proof, publishable } = endpoint;
  const writes = method !== "GET";
  return [
    ...(params || query || body || writes ? (["malformed", "invalid"] as const) : []),
    ...accessRefusals(endpoint),
    ...(writes ? (["too_large", "unsupported_media_type"] as const) : []),
    ...((writes && permission !== "provider") || publishable ? (["cross_site"] as const) : []),
    ...(params ? (["not_found"] as const) : []),
    ...(versioned ? (["version_missing", "stale_version"] as const) : []),
    ...(isKeyed(endpoint)
      ? (["idempotency_key_missing", "idempotency_key_reused", "in_progress"] as const)
      : []),
    ...(file || isQueued(endpoint) ? (["too_many_requests"] as const) : []),
    ...(approval ? (["approval_required"] as const) : []),
    ...(proof ? (["proof_required"] as const) : []),
    ...refusals,
    "internal",
    "unavailable",
  ];
};
