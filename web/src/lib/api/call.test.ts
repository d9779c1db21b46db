import { changeApp, createApp, getApp, listApps } from "@purser/contract/apps/endpoints";
import { getLink } from "@purser/contract/auth/passwords";
import { signOut } from "@purser/contract/auth/session";
import { signIn, startPasskeySignIn } from "@purser/contract/auth/signIn";
import { retryJob } from "@purser/contract/workspace/jobs";
import { streamEvents } from "@purser/contract/workspace/liveChanges";
import { removeDraft } from "@purser/contract/workspace/unsavedChanges";
import { afterEach, expect, test, vi } from "vitest";
import { CallError, call, onSessionEnd } from "./call.ts";

const id = "018f3f2e-0000-7000-8000-000000000001";
const json = { "content-type": "application/json; charset=utf-8" };

type Asked = { address: string; method: string; headers: Headers; body: unknown };

/** Fake network: gives the same answer to every request and records the requests. */
const answering = (answer: () => Response) => {
  const asked: Asked[] = [];
  vi.stubGlobal("fetch", async (address: string, { method = "", headers, body }: RequestInit) => {
    asked.push({ address, method, headers: new Headers(headers), body });
    return answer();
  });
  return asked;
};

const refusalOf = (calling: Promise<unknown>) =>
  calling.then(
    () => expect.unreachable("the call was not refused"),
    (error: unknown) => (error instanceof CallError ? error : expect.unreachable(String(error))),
  );

afterEach(() => {
  vi.unstubAllGlobals();
});

test("fills path parameters and repeats list values in the query", async () => {
  const asked = answering(() => new Response('{"items":[]}', { headers: json }));
  await call(getApp, { params: { id: "a/b c" } });
  await call(listApps, { query: { q: "a&b", f: ["name:is:x", "code:is:y"] } });
  expect(asked.map(({ address }) => address)).toEqual([
    "/api/apps/a%2Fb%20c",
    "/api/apps?q=a%26b&f=name%3Ais%3Ax&f=code%3Ais%3Ay",
  ]);
  expect(asked[0]?.headers.has("content-type")).toBe(false);
  expect(asked[0]?.body).toBeUndefined();
});

test("sets keepalive only when asked", async () => {
  const kept: unknown[] = [];
  vi.stubGlobal("fetch", async (_address: string, { keepalive }: RequestInit) => {
    kept.push(keepalive);
    return new Response(null, { status: 204 });
  });
  const params = { form: "apps-create" };
  await call(removeDraft, { params });
  await call(removeDraft, { params, keepalive: true });
  expect(kept).toEqual([undefined, true]);
});

test("sends a new Idempotency-Key with each keyed POST, or the given one", async () => {
  const asked = answering(() => new Response("{}", { status: 201, headers: json }));
  const body = { code: "a-b", name: "A" };
  await call(createApp, { body });
  await call(createApp, { body });
  await call(createApp, { body, key: "the-same-again" });
  const keys = asked.map(({ headers }) => headers.get("idempotency-key"));
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(keys[1]).not.toBe(keys[0]);
  expect(keys[2]).toBe("the-same-again");
});

test("sends no key with a POST guarded by a challenge, and If-Match with a versioned change", async () => {
  const asked = answering(() => new Response("{}", { headers: json }));
  await call(getLink, { body: { token: "x" } });
  await call(changeApp, { params: { id }, body: { code: "a-b", name: "A" }, version: 3 });
  expect(asked.map(({ headers }) => headers.get("idempotency-key"))).toEqual([null, null]);
  expect(asked.map(({ headers }) => headers.get("if-match"))).toEqual([null, '"3"']);
});

test("sends an empty body where the endpoint takes one, and returns undefined for an empty answer", async () => {
  const asked = answering(() => new Response("", { status: 202 }));
  expect(await call(retryJob, { params: { name: "send-link", id } })).toBeUndefined();
  await call(startPasskeySignIn);
  await call(signOut);
  expect(asked.map(({ body }) => body)).toEqual(["{}", "{}", undefined]);
  expect(asked[2]?.headers.has("content-type")).toBe(false);
});

test("throws the problem document of a refused call", async () => {
  const problem = {
    type: "urn:purser:problem:stale_version",
    title: "Edit conflict",
    status: 412,
    detail: "Someone else saved changes since you opened this.",
    requestId: "r-1",
    errors: [{ in: "body", pointer: "/name", code: "x", message: "y" }],
    current: { version: 4 },
  };
  const headers = { "content-type": "application/problem+json" };
  answering(() => new Response(JSON.stringify(problem), { status: 412, headers }));
  const refusal = await refusalOf(
    call(changeApp, { params: { id }, body: { code: "a-b", name: "A" }, version: 3 }),
  );
  expect(refusal.problem).toEqual(problem);
  expect(refusal.message).toBe(problem.detail);
  expect([refusal.is("stale_version"), refusal.is("taken")]).toEqual([true, false]);
});

test("reports an answer that isn't JSON as an error, whatever its status", async () => {
  const headers = { "content-type": "text/html", "x-request-id": "r-2" };
  for (const status of [200, 502]) {
    answering(() => new Response("<h1>Hotel wifi</h1>", { status, headers }));
    const { problem } = await refusalOf(call(listApps));
    expect(problem).toMatchObject({ status, requestId: "r-2" });
    expect(problem.detail).toContain(String(status));
  }
});

test("reports a lost connection with status 0, also halfway through an answer", async () => {
  const cut = new ReadableStream({ start: (stream) => stream.error(new TypeError("cut")) });
  const answers = [() => Promise.reject(new TypeError("offline")), async () => new Response(cut)];
  for (const answer of answers) {
    vi.stubGlobal("fetch", answer);
    const { problem } = await refusalOf(call(listApps));
    expect(problem.status).toBe(0);
    expect(problem.detail).toContain("connection");
  }
});

test("SH7 waits for a new sign-in when the session has ended, then sends the same request again", async () => {
  const headers = { "content-type": "application/problem+json" };
  const ended = JSON.stringify({ type: "urn:purser:problem:unauthenticated", status: 401 });
  let signedIn = false;
  const asked = answering(() =>
    signedIn
      ? new Response("{}", { status: 201, headers: json })
      : new Response(ended, { status: 401, headers }),
  );
  onSessionEnd(async () => {
    signedIn = true;
  });
  await call(createApp, { body: { code: "a-b", name: "A" } });
  const keys = asked.map((one) => one.headers.get("idempotency-key"));
  expect(keys).toHaveLength(2);
  expect(keys[0]).toBe(keys[1]);
  signedIn = false;
  expect((await refusalOf(call(listApps, { signedOut: "throw" }))).is("unauthenticated")).toBe(
    true,
  );
  onSessionEnd(null);
});

/** Never executed: the type checker is the test. */
export const refusedByTheTypeChecker = async () => {
  // @ts-expect-error The params are missing.
  await call(getApp);
  // @ts-expect-error The endpoint takes no query.
  await call(getApp, { params: { id }, query: { q: "x" } });
  // @ts-expect-error The list has no such parameter.
  await call(listApps, { query: { search: "x" } });
  // @ts-expect-error The version is missing.
  await call(changeApp, { params: { id }, body: { code: "a-b", name: "A" } });
  // @ts-expect-error Nothing is versioned here.
  await call(createApp, { body: { code: "a-b", name: "A" }, version: 1 });
  // @ts-expect-error A PUT is not keyed.
  await call(changeApp, { params: { id }, body: { code: "a", name: "A" }, version: 1, key: "k" });
  // @ts-expect-error A challenge guards it instead of a key.
  await call(signIn, { body: { email: "a@b.c", password: "x" }, key: "k" });
  // @ts-expect-error There is no such platform.
  await call(createApp, { body: { code: "a-b", name: "A", platforms: ["amiga"] } });
  // @ts-expect-error A stream cannot be waited for.
  await call(streamEvents);
  // @ts-expect-error The reply of a list is a page.
  (await call(listApps)).name;
  const nothing: undefined = await call(signOut);
  return nothing;
};
