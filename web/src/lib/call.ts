import { type Endpoint, isKeyed, type Wire } from "@purser/contract/endpoint";
import type { ProblemBody, ProblemCode, typeOf } from "@purser/contract/problem";
import { Refusal } from "./refusal.ts";

/** Why the server refused a call, or why it could not be asked: then the status is 0. */
export class CallError extends Refusal {
  override name = "CallError";
  readonly problem: ProblemBody;

  constructor(problem: ProblemBody) {
    super(problem.detail);
    this.problem = problem;
  }

  is(code: ProblemCode) {
    const type: ReturnType<typeof typeOf> = `urn:purser:problem:${code}`;
    return this.problem.type === type;
  }
}

type Nothing = Record<never, never>;

/** A part of the request: never one that the endpoint lacks, and optional where an empty one will do. */
type Part<Name extends string, Value> = [Value] extends [undefined]
  ? { [N in Name]?: never }
  : Nothing extends Value
    ? { [N in Name]?: Value }
    : { [N in Name]: Value };

type Keyed<E extends Endpoint> = E["method"] extends "POST"
  ? E["keyed"] extends false
    ? never
    : string
  : never;

type Sent<E extends Endpoint> = Part<"params", Wire<E>["params"]> &
  Part<"query", Wire<E>["query"]> &
  Part<"body", Wire<E>["body"]> &
  /** The version that the person saw, and changed. */
  (E["versioned"] extends true ? { version: number } : { version?: never }) & {
    /** The same key for the same thing done again, after its first answer got lost. */
    key?: Keyed<E>;
  };

type Loose = {
  params?: Record<string, unknown> | undefined;
  query?: Record<string, unknown> | undefined;
  body?: unknown;
  version?: number;
  key?: string;
};

const addressOf = (path: string, { params = {}, query = {} }: Loose) => {
  const filled = path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(params[name])),
  );
  const search = new URLSearchParams();
  for (const [name, given] of Object.entries(query))
    for (const value of [given].flat()) if (value !== undefined) search.append(name, String(value));
  return `/api${filled}${search.size > 0 ? `?${search}` : ""}`;
};

const headersOf = (endpoint: Endpoint, { version, key = crypto.randomUUID() }: Loose) => ({
  accept: "application/json",
  ...(endpoint.body && { "content-type": "application/json" }),
  ...(isKeyed(endpoint) && { "idempotency-key": key }),
  ...(version !== undefined && { "if-match": `"${version}"` }),
});

const unexplained = (status: number, detail: string, requestId = ""): ProblemBody => ({
  type: "about:blank",
  title: "No answer",
  status,
  detail,
  requestId,
});

const ask = async (address: string, request: RequestInit) => {
  try {
    const response = await fetch(address, request);
    return { response, text: await response.text() };
  } catch {
    throw new CallError(
      unexplained(0, "The server cannot be reached. Check your connection, then try again."),
    );
  }
};

/** A stream never ends, so it cannot be waited for. */
type Callable = Endpoint & { stream?: never };

/** Calls an endpoint of the contract and gives its reply; whatever else comes is a `CallError`. */
export const call = async <const E extends Callable>(
  endpoint: E,
  ...[given]: Nothing extends Sent<E> ? [Sent<E>?] : [Sent<E>]
): Promise<Wire<E>["reply"]> => {
  const sent: Loose = given ?? {};
  const { response, text } = await ask(addressOf(endpoint.path, sent), {
    method: endpoint.method,
    headers: headersOf(endpoint, sent),
    ...(endpoint.body && { body: JSON.stringify(sent.body ?? {}) }),
  });
  const type = response.headers.get("content-type") ?? "";
  if (response.ok && text === "") return undefined as Wire<E>["reply"];
  if (response.ok && type.startsWith("application/json")) return JSON.parse(text);
  if (type.startsWith("application/problem+json")) throw new CallError(JSON.parse(text));
  throw new CallError(
    unexplained(
      response.status,
      `The server answered with ${response.status} and did not say why. Try again in a moment.`,
      response.headers.get("x-request-id") ?? "",
    ),
  );
};
