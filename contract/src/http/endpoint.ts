import type { z } from "zod";
import type { Access } from "../auth/permissions.ts";
import type { ProblemCode } from "./problem.ts";

/** One HTTP call, written once: the server serves it, the web calls it, OpenAPI describes it. */
export type Endpoint = {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** Below the API's base address. */
  path: `/${string}`;
  summary: string;
  permission: Access;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodObject;
  /** What a success answers with; a success without one is 204. */
  reply?: z.ZodType;
  /** 200 with a reply and 204 without, unless said otherwise. */
  status?: 200 | 201 | 202;
  /** The caller must name the version it saw, with `If-Match`. */
  versioned?: true;
  /** A POST takes an `Idempotency-Key`, except where a one-time challenge already stops repeats. */
  keyed?: false;
  /** Open also to whoever still owes a second factor: it leads to one. */
  beforeSecondFactor?: true;
  /** The refusals that are its own, beside those that follow from the fields above. */
  refusals?: readonly ProblemCode[];
  /** By the company's rules of this name, a second person may have to approve it. */
  approval?: "refund" | "price" | "erase" | "owner";
  /** For bodies that are larger than 64 kB by their nature. */
  bodyKbMax?: number;
  /** The reply is a stream of events, not a document. */
  stream?: true;
  /** The reply is a file to keep, not a document. */
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
// biome-ignore lint/suspicious/noConfusingVoidType: a handler without a reply just ends.
export type Reply<E extends Endpoint> = E["reply"] extends z.ZodType ? z.output<E["reply"]> : void;

/** What a caller sends and gets: plain JSON. */
export type Wire<E extends Endpoint> = {
  params: Sent<E["params"]>;
  query: Sent<E["query"]>;
  body: Sent<E["body"]>;
  reply: Sent<E["reply"]>;
};

export const isKeyed = ({ method, keyed }: Endpoint) => method === "POST" && keyed !== false;

export const successOf = ({ status, reply }: Endpoint) => status ?? (reply ? 200 : 204);

const guarded = ["unauthenticated", "forbidden"] as const;

const refusalsAtTheDoor = ({
  permission,
  beforeSecondFactor,
}: Endpoint): readonly ProblemCode[] => {
  if (permission === "provider") return ["signature_wrong"];
  if (permission === "anyone") return ["too_many"];
  if (permission === "app key" || beforeSecondFactor) return guarded;
  return [...guarded, "second_factor_required"];
};

/** Every refusal that a caller of this endpoint may meet. */
export const refusalsOf = (endpoint: Endpoint): ProblemCode[] => {
  const { method, permission, params, query, body, versioned, file, refusals = [] } = endpoint;
  const { approval } = endpoint;
  const writes = method !== "GET";
  return [
    ...(params || query || body || writes ? (["malformed", "invalid"] as const) : []),
    ...refusalsAtTheDoor(endpoint),
    ...(writes ? (["too_large", "unsupported_media_type"] as const) : []),
    ...(writes && permission !== "provider" ? (["cross_site"] as const) : []),
    ...(params ? (["not_found"] as const) : []),
    ...(versioned ? (["version_missing", "stale_version"] as const) : []),
    ...(isKeyed(endpoint)
      ? (["idempotency_key_missing", "idempotency_key_reused", "in_progress"] as const)
      : []),
    ...(file ? (["too_many"] as const) : []),
    ...(approval ? (["approval_needed"] as const) : []),
    ...refusals,
    "internal",
    "unavailable",
  ];
};
