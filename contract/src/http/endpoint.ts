import type { z } from "zod";
import type { Access } from "../auth/permissions.ts";
import type { ProblemCode } from "./problem.ts";

/** One HTTP call, used by the server, the web and OpenAPI. */
export type Endpoint = {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** Below the API's base URL. */
  path: `/${string}`;
  summary: string;
  permission: Access;
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
  /** Refusals other than those that follow from the fields above. */
  refusals?: readonly ProblemCode[];
  /** May require approval by the company's rules of this name. */
  approval?: "refund" | "price" | "erase" | "owner";
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

export const isKeyed = ({ method, keyed }: Endpoint) => method === "POST" && keyed !== false;

export const successOf = ({ status, reply }: Endpoint) => status ?? (reply ? 200 : 204);

const guarded = ["unauthenticated", "forbidden"] as const;

const accessRefusals = ({ permission, beforeTwoFactor }: Endpoint): readonly ProblemCode[] => {
  if (permission === "provider") return ["signature_wrong"];
  if (permission === "anyone") return ["too_many_requests"];
  if (permission === "app key" || beforeTwoFactor) return guarded;
  return [...guarded, "two_factor_required"];
};

/** Every refusal that this endpoint may answer with. */
export const refusalsOf = (endpoint: Endpoint): ProblemCode[] => {
  const { method, permission, params, query, body, versioned, file, refusals = [] } = endpoint;
  const { approval } = endpoint;
  const writes = method !== "GET";
  return [
    ...(params || query || body || writes ? (["malformed", "invalid"] as const) : []),
    ...accessRefusals(endpoint),
    ...(writes ? (["too_large", "unsupported_media_type"] as const) : []),
    ...(writes && permission !== "provider" ? (["cross_site"] as const) : []),
    ...(params ? (["not_found"] as const) : []),
    ...(versioned ? (["version_missing", "stale_version"] as const) : []),
    ...(isKeyed(endpoint)
      ? (["idempotency_key_missing", "idempotency_key_reused", "in_progress"] as const)
      : []),
    ...(file ? (["too_many_requests"] as const) : []),
    ...(approval ? (["approval_required"] as const) : []),
    ...refusals,
    "internal",
    "unavailable",
  ];
};
