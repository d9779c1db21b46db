import { createElement, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { createFeatureStore } from "./featureStore.ts";
import { Feature, PurserProvider, useFeature, useUsage } from "./react.tsx";
import { createTestClient } from "./testing.ts";

const Usage = () => {
  const { isLoading, used, limit } = useUsage("exports");
  return isLoading ? "loading" : `${used} of ${limit}`;
};

const Maps = () => (useFeature("maps").allowed ? "maps" : "no maps");

const render = (client: ReturnType<typeof createTestClient>, children: ReactNode) =>
  renderToStaticMarkup(createElement(PurserProvider, { client, user: "ada" }, children));

const gated = (code: string) =>
  createElement(Feature, { code, fallback: "upgrade", loading: "…" }, "content");

test("components show what is loading, what is allowed, and what to show instead", async () => {
  const client = createTestClient({ maps: true, beta: false, exports: 3 });
  expect(render(client, gated("maps"))).toBe("…");
  expect(render(client, createElement(Usage))).toBe("loading");
  await client.checkAll("ada");
  expect(render(client, gated("maps"))).toBe("content");
  expect(render(client, gated("beta"))).toBe("upgrade");
  expect(render(client, createElement(Maps))).toBe("maps");
  expect(render(client, createElement(Usage))).toBe("0 of 3");
  expect(() => renderToStaticMarkup(createElement(Maps))).toThrow("<PurserProvider>");
});

test("a mounted component is renewed after a change, after an outage, and not after it is unmounted", async () => {
  const client = createTestClient({ maps: false });
  const store = createFeatureStore(client, { user: "ada", feature: "maps", refreshMs: 5 });
  expect(store.get()).toMatchObject({ isLoading: true, allowed: false });
  const changed = vi.fn();
  const stop = store.subscribe(changed);
  await vi.waitFor(() => expect(store.get()).toMatchObject({ isLoading: false, allowed: false }));
  client.set("ada", { maps: true });
  await vi.waitFor(() => expect(store.get().allowed).toBe(true));
  client.set("ada", {});
  await vi.waitFor(() => expect(store.get().allowed).toBe(false));
  stop();
  const calls = changed.mock.calls.length;
  client.set("ada", { maps: true });
  await client.check("ada", "maps");
  expect(changed).toHaveBeenCalledTimes(calls);
  expect(store.get().allowed).toBe(false);
});

test("a component shows the error of a refused key, and doesn't ask in a loop", async () => {
  const fetch = vi.fn(
    async () => new Response('{"type":"urn:purser:problem:unauthenticated"}', { status: 401 }),
  );
  const client = createTestClient({ maps: true }, { environment: { fetch } });
  const store = createFeatureStore(client, { user: "ada", feature: "maps" });
  const stop = store.subscribe(() => {});
  await vi.waitFor(() => expect(store.get().error).toMatchObject({ code: "unauthenticated" }));
  expect(fetch).toHaveBeenCalledTimes(1);
  stop();
});

test("a mounted component shows usage that waits, also what is added while it asks", async () => {
  const client = createTestClient({ exports: 10 }, { failuresMax: 1_000_000 });
  const store = createFeatureStore(client, { user: "ada", feature: "exports" });
  const stop = store.subscribe(() => {});
  await vi.waitFor(() => expect(store.get()).toMatchObject({ answer: { used: 0 } }));
  client.setReachable(false);
  for (let n = 0; n < 3; n += 1)
    expect(await client.consume("ada", "exports")).toMatchObject({ result: "buffered" });
  await vi.waitFor(() => expect(store.get()).toMatchObject({ answer: { used: 3, remaining: 7 } }));
  client.record("ada", "exports");
  client.record("ada", "exports");
  await vi.waitFor(() => expect(store.get()).toMatchObject({ answer: { used: 5 } }));
  client.setReachable(true);
  await client.flush();
  await vi.waitFor(() =>
    expect(store.get()).toMatchObject({ answer: { used: 5, source: "server" } }),
  );
  stop();
  await client.close();
});
