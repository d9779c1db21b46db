import { type Endpoint, isKeyed, type Wire } from "@purser/contract/http/endpoint";
import type { ProblemBody, ProblemCode, typeOf } from "@purser/contract/http/problem";
import { addressOf as innerAddressOf } from "@purser/contract/http/url";
import { noticeBuild } from "../page/newRelease.ts";
import { runtime } from "../page/runtime.ts";
import { forgetPayloads, takeFromPayload } from "./payload.ts";
import { Refusal } from "./userFacingError.ts";

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
    /** Tell a session's end as a refusal instead of asking the person to sign in again. */
    signedOut?: "tell";
    signal?: AbortSignal;
    /** Sent also when the page ends before the answer. */
    keepalive?: boolean;
  };

type Loose = {
  params?: Record<string, unknown> | undefined;
  query?: Record<string, unknown> | undefined;
  body?: unknown;
  version?: number;
  key?: string;
  signedOut?: "tell";
  signal?: AbortSignal;
  keepalive?: boolean;
};

/** The address of a call, for whatever asks by itself: a download, a stream. */
export const addressOf = (path: string, parts: Pick<Loose, "params" | "query">) =>
  `${runtime.apiBaseUrl}${innerAddressOf(path, parts)}`;

const headersOf = (endpoint: Endpoint, { version, key }: Loose) => ({
  accept: "application/json",
  ...(runtime.build.id && { "x-client-build": runtime.build.id }),
  ...(endpoint.body && { "content-type": "application/json" }),
  ...(isKeyed(endpoint) && { "idempotency-key": key ?? crypto.randomUUID() }),
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
    noticeBuild(response.headers.get("x-build-id"));
    return { response, text: await response.text() };
  } catch (error) {
    if (request.signal?.aborted) throw error;
    throw new CallError(
      unexplained(0, "The server cannot be reached. Check your connection, then try again."),
    );
  }
};

/** A stream never ends and a file is kept, so neither can be waited for. */
type Callable = Endpoint & { stream?: never; file?: never };

/** Asks the person to sign in again and comes back when that is done. The shell fills it in. */
let signInAgain: (() => Promise<void>) | null = null;
export const onSessionEnd = (ask: typeof signInAgain) => {
  signInAgain = ask;
};

/** Hears that the server wants a second factor. The shell fills it in. */
let secondFactorWanted: (() => void) | null = null;
export const onSecondFactorWanted = (hear: typeof secondFactorWanted) => {
  secondFactorWanted = hear;
};

type Answer = Awaited<ReturnType<typeof ask>>;

const isOf = ({ response }: Answer, type: string) =>
  (response.headers.get("content-type") ?? "").startsWith(type);

const problemOf = (answer: Answer): ProblemBody => {
  const { response, text } = answer;
  if (isOf(answer, "application/problem+json")) return JSON.parse(text);
  return unexplained(
    response.status,
    `The server answered with ${response.status} and did not say why. Try again in a moment.`,
    response.headers.get("x-request-id") ?? "",
  );
};

/** The reply in a good answer; nothing where the answer was to hold nothing. */
const replyIn = (answer: Answer) => {
  const { response, text } = answer;
  if (response.ok && text === "") return { reply: undefined };
  if (response.ok && isOf(answer, "application/json")) return { reply: JSON.parse(text) };
  return null;
};

const requestOf = (endpoint: Endpoint, sent: Loose): RequestInit => ({
  method: endpoint.method,
  headers: headersOf(endpoint, sent),
  ...(endpoint.body && { body: JSON.stringify(sent.body ?? {}) }),
  ...(sent.signal && { signal: sent.signal }),
  ...(sent.keepalive && { keepalive: true }),
});

/** Calls an endpoint of the contract and gives its reply; whatever else comes is a `CallError`. */
export const call = async <const E extends Callable>(
  endpoint: E,
  ...[given]: Nothing extends Sent<E> ? [Sent<E>?] : [Sent<E>]
): Promise<Wire<E>["reply"]> => {
  const sent: Loose = given ?? {};
  const address = innerAddressOf(endpoint.path, sent);
  if (endpoint.method === "GET") {
    const seeded = await takeFromPayload(address);
    if (seeded) return seeded.reply as Wire<E>["reply"];
  } else forgetPayloads();
  const request = requestOf(endpoint, sent);
  for (;;) {
    const answer = await ask(`${runtime.apiBaseUrl}${address}`, request);
    const good = replyIn(answer);
    if (good) return good.reply;
    const refusal = new CallError(problemOf(answer));
    if (refusal.is("second_factor_required")) secondFactorWanted?.();
    // The very same request again, its key too: what was typed is saved once.
    if (refusal.is("unauthenticated") && signInAgain && sent.signedOut !== "tell")
      await signInAgain();
    else throw refusal;
  }
};
