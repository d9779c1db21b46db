import { t } from "@lingui/core/macro";
import { type Endpoint, isKeyed, type Wire } from "@purser/contract/http/endpoint";
import type { ProblemBody, ProblemCode, typeOf } from "@purser/contract/http/problem";
import { addressOf as innerAddressOf } from "@purser/contract/http/url";
import { locale } from "../messages.ts";
import { noticeBuild } from "../page/newRelease.ts";
import { runtime } from "../page/runtime.ts";
import { forgetPayloads, takeFromPayload } from "./payload.ts";
import { UserFacingError } from "./userFacingError.ts";

/** The server refused the call, or couldn't be reached (status 0). */
export class CallError extends UserFacingError {
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

/**
 * One part of the request: forbidden if the endpoint doesn't take it, optional if an empty object
 * is valid.
 */
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
  /** The version of the record that the user edited. */
  (E["versioned"] extends true ? { version: number } : { version?: never }) & {
    /** Reuse the key to retry a request whose answer was lost. */
    key?: Keyed<E>;
    /** Throw when the session has ended instead of asking the user to sign in again. */
    signedOut?: "throw";
    /** The action with the record's name, for the dialog that asks to confirm the identity. */
    action?: string;
    signal?: AbortSignal;
    /** Completes even if the page is closed before the answer. */
    keepalive?: boolean;
  };

type UntypedRequest = {
  params?: Record<string, unknown> | undefined;
  query?: Record<string, unknown> | undefined;
  body?: unknown;
  version?: number;
  key?: string;
  signedOut?: "throw";
  action?: string;
  signal?: AbortSignal;
  keepalive?: boolean;
};

/** The URL of an endpoint, for downloads and event streams, which don't go through `call`. */
export const addressOf = (path: string, parts: Pick<UntypedRequest, "params" | "query">) =>
  `${runtime.apiBaseUrl}${innerAddressOf(path, parts)}`;

/** A new trace, in the format of W3C Trace Context. */
const newTrace = () => {
  const id = () => crypto.randomUUID().replaceAll("-", "");
  return `00-${id()}-${id().slice(16)}-01`;
};

const headersOf = (endpoint: Endpoint, { version, key }: UntypedRequest) => ({
  accept: "application/json",
  ...(runtime.build.id && { "x-client-build": runtime.build.id }),
  ...(endpoint.body && { "content-type": "application/json" }),
  ...(isKeyed(endpoint) && { "idempotency-key": key ?? crypto.randomUUID() }),
  ...(version !== undefined && { "if-match": `"${version}"` }),
  ...(runtime.traces && { traceparent: newTrace() }),
});

const problemWithoutBody = (status: number, detail: string, requestId = ""): ProblemBody => ({
  type: "about:blank",
  title: t`No response`,
  status,
  detail,
  requestId,
});

const send = async (address: string, request: RequestInit) => {
  try {
    const response = await fetch(address, request);
    noticeBuild(response.headers.get("x-build-id"));
    return { response, text: await response.text() };
  } catch (error) {
    if (request.signal?.aborted) throw error;
    throw new CallError(
      problemWithoutBody(0, t`Can't reach the server. Check your connection and try again.`),
    );
  }
};

/** Streams and file downloads can't be awaited as a reply. */
type Callable = Endpoint & { stream?: never; file?: never };

/** Asks the user to sign in again and resolves afterwards. Set by the shell. */
let signInAgain: (() => Promise<void>) | null = null;
export const onSessionEnd = (send: typeof signInAgain) => {
  signInAgain = send;
};

/** Called when the server requires two-factor authentication. Set by the shell. */
let twoFactorRequired: (() => void) | null = null;
export const onTwoFactorRequired = (hear: typeof twoFactorRequired) => {
  twoFactorRequired = hear;
};

/** The call that continues once the user has confirmed their identity. */
export type RefusedCall = { operation: string; body: unknown; action?: string | undefined };

/** Asks the user to confirm their identity. Resolves with false if they cancel. Set by the shell. */
let confirmIdentity: ((call: RefusedCall) => Promise<boolean>) | null = null;
export const onProofRequired = (ask: typeof confirmIdentity) => {
  confirmIdentity = ask;
};

type Answer = Awaited<ReturnType<typeof send>>;

const hasContentType = ({ response }: Answer, type: string) =>
  (response.headers.get("content-type") ?? "").startsWith(type);

const problemOf = (answer: Answer): ProblemBody => {
  const { response, text } = answer;
  const { status } = response;
  if (hasContentType(answer, "application/problem+json")) return JSON.parse(text);
  return problemWithoutBody(
    status,
    t`Something went wrong (${status}). Try again in a moment.`,
    response.headers.get("x-request-id") ?? "",
  );
};

const hasParameters = ({ parameters, errors }: ProblemBody) =>
  parameters !== undefined || errors?.some((error) => error.parameters !== undefined);

/** The problem in the user's language, as far as this release knows its messages. */
const translated = async (problem: ProblemBody): Promise<ProblemBody> => {
  // English without dates and amounts is shown as the server sends it.
  if (locale === "en" && !hasParameters(problem)) return problem;
  // Without the file it is shown in English: callers need the problem itself, not the error of the file.
  const loaded = await import("../serverMessages.ts").catch(() => null);
  if (!loaded) return problem;
  const { messageText } = loaded;
  const { reason, detail, parameters, errors } = problem;
  const words = (code: string, text: string, values: typeof parameters) =>
    messageText({ code, text, ...(values && { parameters: values }) });
  return {
    ...problem,
    ...(reason && { detail: words(reason, detail, parameters) }),
    ...(errors && {
      errors: errors.map((one) => ({
        ...one,
        message: words(one.code, one.message, one.parameters),
      })),
    }),
  };
};

/** The parsed reply of a successful answer, or null if it isn't one. */
const replyIn = (answer: Answer) => {
  const { response, text } = answer;
  if (response.ok && text === "") return { reply: undefined };
  if (response.ok && hasContentType(answer, "application/json")) return { reply: JSON.parse(text) };
  return null;
};

const requestOf = (endpoint: Endpoint, sent: UntypedRequest): RequestInit => ({
  method: endpoint.method,
  headers: headersOf(endpoint, sent),
  ...(endpoint.body && { body: JSON.stringify(sent.body ?? {}) }),
  ...(sent.signal && { signal: sent.signal }),
  ...(sent.keepalive && { keepalive: true }),
});

/** Resolves after a new sign-in or a confirmed identity, if that was missing. Throws every other refusal. */
const resumeOrThrow = async (
  problem: ProblemBody,
  { method, path }: Endpoint,
  { signedOut, body, action }: UntypedRequest,
) => {
  const refusal = new CallError(problem);
  if (refusal.is("two_factor_required")) twoFactorRequired?.();
  const hasEnded = refusal.is("unauthenticated");
  // These callers show no text. Translated, every start without a session would load the messages.
  if (hasEnded && signedOut === "throw") throw refusal;
  if (hasEnded && signInAgain) return signInAgain();
  const refused = { operation: `${method} ${path}`, body, action };
  if (refusal.is("proof_required") && (await confirmIdentity?.(refused))) return;
  throw new CallError(await translated(problem));
};

/** Calls an endpoint and returns its typed reply. Throws a `CallError` for everything else. */
export const call = async <const E extends Callable>(
  endpoint: E,
  ...[given]: Nothing extends Sent<E> ? [Sent<E>?] : [Sent<E>]
): Promise<Wire<E>["reply"]> => {
  const sent: UntypedRequest = given ?? {};
  const address = innerAddressOf(endpoint.path, sent);
  if (endpoint.method === "GET") {
    const seeded = await takeFromPayload(address);
    if (seeded) return seeded.reply as Wire<E>["reply"];
  } else forgetPayloads();
  const request = requestOf(endpoint, sent);
  for (;;) {
    const answer = await send(`${runtime.apiBaseUrl}${address}`, request);
    const good = replyIn(answer);
    if (good) return good.reply;
    // The retry keeps the idempotency key, so the change is made only once.
    await resumeOrThrow(problemOf(answer), endpoint, sent);
  }
};
