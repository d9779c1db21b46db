import { endpoints } from "@purser/contract/endpoints";
import type { Endpoint } from "@purser/contract/http/endpoint";
import { payloadFile } from "@purser/contract/pages/payload";
import { builtRoutes, type Route, routes } from "@purser/contract/pages/routes";
import { isAnsweredByLive } from "@purser/contract/testMode/paths";
import { saveDraft } from "@purser/contract/workspace/unsavedChanges";
import { expect, test } from "vitest";
import { patiently } from "../patience.testing.ts";
import {
  askFor,
  type Mode,
  type Records,
  type Sent,
  separatedModes,
} from "./separation.testing.ts";
import { draftForm, urlsOf, withParams } from "./urlsOfModes.testing.ts";

const { admin, onlyLive, onlyTest, cases } = await separatedModes();

const isOfTeam = ({ method, path, permission, stream }: Endpoint) =>
  !stream &&
  !["anyone", "app key", "provider"].includes(permission) &&
  !isAnsweredByLive(method, path);

const ofTeam = Object.entries<Endpoint>(endpoints).filter(([, endpoint]) => isOfTeam(endpoint));
const reads = ofTeam.filter(([, { method }]) => method === "GET");
// A POST without a key changes nothing.
const previews = ofTeam.filter(([, { method, keyed }]) => method === "POST" && keyed === false);

/** Live has no clock. */
const ofTestMode = new Set(["getTestClock"]);

/** Reads whose rows are made by a job (separationOfWork.test.ts). */
const ofJobs = new Set(["downloadListJob", "getPersonalExport"]);

type Case = (typeof cases)[number];

/** The faults of the answers to these requests, and a refusal if none was answered. */
const ask = async (
  { own, foreign }: Case,
  all: readonly Sent[],
  read?: (body: string) => string,
) => {
  const { app, config } = own.product;
  const headers = { cookie: admin.cookie, origin: config.PUBLIC_URL };
  const faults: string[] = [];
  const refusals: string[] = [];
  for (const sent of all) {
    const asked = await askFor({ app, headers, foreign }, sent, read);
    if (asked.statusCode !== 200) refusals.push(`${sent.url} ${asked.body}`);
    faults.push(...asked.faults);
  }
  // A request for nothing would find no fault.
  const unanswered = refusals.length === all.length ? (refusals[0] ?? "no request") : null;
  return { faults, unanswered };
};

/** Every record of the other kinds is part of the demo data or of the world. */
const saveDrafts = async () => {
  for (const { own } of cases) {
    const { product, records } = own;
    const body = { userId: admin.id, version: 0, base: {}, values: { name: records.appId } };
    const saved = await product.call(admin, saveDraft, {
      params: { form: draftForm },
      body,
    } as never);
    expect(saved.status, saved.text).toBeLessThan(300);
  }
};
await saveDrafts();

test("both modes have rows of their own", () => {
  expect(onlyLive.size).toBeGreaterThan(500);
  expect(onlyTest.size).toBeGreaterThan(500);
  expect(reads.length).toBeGreaterThan(90);
});

test.each(cases)(
  "no list, report, export, search or count of $name has a row of the other mode",
  async (one) => {
    const { api, own, other } = one;
    const unanswered: string[] = [];
    const faults: string[] = [];
    const asked = reads.filter(
      ([name]) => !ofJobs.has(name) && (one.base !== "" || !ofTestMode.has(name)),
    );
    for (const [name, endpoint] of asked) {
      const urls = await urlsOf(name, endpoint, [own, other]);
      const answers = await ask(
        one,
        urls.map((url) => ({ method: "GET", url: `${api}${url}` })),
      );
      faults.push(...answers.faults);
      if (answers.unanswered) unanswered.push(`${name}: ${answers.unanswered}`);
    }
    expect.soft(faults).toEqual([]);
    expect(unanswered).toEqual([]);
  },
  patiently(120_000),
);

const sale = ({ packageId }: Records) => ({
  email: "new@example.com",
  packageId,
  currency: "EUR",
  interval: "month",
  occurredAt: "2026-11-01T00:00:00Z",
});

type Preview = { id: (records: Records) => string; body: (records: Records) => object };
const none = () => "";

/** The record and the body of each preview. */
const bodies: Record<string, Preview> = {
  diffCatalog: { id: none, body: () => ({ source: "version: 1\n" }) },
  previewChange: {
    id: ({ subscriptionId }) => subscriptionId,
    body: ({ otherPackageId }) => ({
      packageId: otherPackageId,
      interval: "year",
      intervalCount: 1,
      when: "now",
    }),
  },
  previewImpact: { id: ({ draftedId }) => draftedId, body: () => ({}) },
  previewMerge: { id: ({ user }) => user, body: ({ user }) => ({ other: user }) },
  previewPromotion: {
    id: none,
    body: ({ packageId, user, promotionId }) => ({
      details: { name: "Sale", kind: "percent", basisPoints: 1000 },
      packageId,
      promotionId,
      currency: "EUR",
      interval: "month",
      userId: user,
    }),
  },
  previewRefund: {
    id: ({ transactionId }) => transactionId,
    body: () => ({ amount: 1, access: "keep" }),
  },
  previewTransfer: {
    id: ({ user }) => user,
    body: ({ grantId }) => ({ email: "new@example.com", grantIds: [grantId] }),
  },
  quoteSale: { id: none, body: sale },
};

test("every preview is asked", () => {
  expect(previews.map(([name]) => name).toSorted()).toEqual(Object.keys(bodies).toSorted());
});

test.each(cases)("no preview of $name uses a row of the other mode", async (one) => {
  const { api, own, other } = one;
  const unanswered: string[] = [];
  const faults: string[] = [];
  for (const [name, { path }] of previews) {
    const { id, body } = bodies[name] ?? { id: none, body: () => ({}) };
    const sent = [own, other].flatMap((ofPath) =>
      [own, other].map((ofBody) => ({
        method: "POST" as const,
        url: `${api}${withParams(path, { id: id(ofPath.records) })}`,
        payload: body(ofBody.records),
      })),
    );
    const asked = await ask(one, sent);
    faults.push(...asked.faults);
    if (asked.unanswered) unanswered.push(`${name}: ${asked.unanswered}`);
  }
  expect.soft(faults).toEqual([]);
  expect(unanswered).toEqual([]);
});

const pages = builtRoutes.filter((path) => "guard" in routes[path]);

const idOfPage: Record<string, (mode: Mode) => string | undefined> = {
  apps: ({ records }) => records.appId,
  feature: ({ records }) => records.featureId,
  package: ({ records }) => records.packageId,
  promotion: ({ records }) => records.promotionId,
  transaction: ({ records }) => records.transactionId,
  users: ({ records }) => records.user,
  import: ({ world }) => String(world.records["/imports/{id}"]?.[0]?.params["id"]),
};

/** The URLs of a page's data, with each tab and as a search. */
const payloadsOf = (path: (typeof pages)[number], base: string, modes: readonly Mode[]) => {
  const { payload }: Route = routes[path];
  const tabs = [...new Set(payload.map(({ tab }) => tab ?? null))];
  const ids = modes.map((mode) => idOfPage[path.split("/")[1] ?? ""]?.(mode) ?? "");
  const places = path.includes("$id") ? ids.map((id) => path.replace("$id", id)) : [path];
  const searches = [
    ...tabs.map((tab) => (tab === null ? "" : `&tab=${tab}`)),
    ...(payload.some(({ list }) => list) ? modes.map(({ records }) => `&q=${records.term}`) : []),
  ];
  const build = "1".repeat(16);
  return places.flatMap((place) =>
    searches.map((search) => ({
      method: "GET" as const,
      url: `${base}${place === "/" ? "" : place}/${payloadFile}?${build}${search}`,
    })),
  );
};

/** Without what both modes share. */
const ownDataOf = (body: string) => {
  const { data = {} }: { data?: Record<string, unknown> } = JSON.parse(body);
  const own = Object.entries(data).filter(
    ([address]) => !isAnsweredByLive("GET", address.split("?")[0] ?? ""),
  );
  return JSON.stringify(Object.fromEntries(own));
};

test.each(cases)("no page of $name has data of the other mode", async (one) => {
  const unanswered: string[] = [];
  const faults: string[] = [];
  for (const path of pages) {
    const asked = await ask(one, payloadsOf(path, one.base, [one.own, one.other]), ownDataOf);
    faults.push(...asked.faults);
    if (asked.unanswered) unanswered.push(asked.unanswered);
  }
  expect.soft(faults).toEqual([]);
  expect(unanswered).toEqual([]);
});
