import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { dayMs } from "../time/dates.ts";
import {
  continueAfterReload,
  dropCopy,
  findCopy,
  flushDrafts,
  forgetCopies,
  keepCopy,
  mayKeepCopies,
  onFlush,
  takeContinuation,
} from "./drafts.ts";
import { isLeaving, markStaying } from "./unsavedChanges.ts";

/** A storage as browsers have it: what is kept is also the names of its own properties. */
const storage = () =>
  Object.create({
    getItem(this: Record<string, string>, key: string) {
      return this[key] ?? null;
    },
    setItem(this: Record<string, string>, key: string, value: string) {
      this[key] = value;
    },
    removeItem(this: Record<string, string>, key: string) {
      delete this[key];
    },
  });

const now = Date.parse("2026-03-02T09:00:00Z");
const draftFrom = (at: number) => ({
  version: 3,
  base: { name: "Harbor" },
  values: { name: "Harbour" },
  savedAt: new Date(at).toISOString(),
  after: "",
});
const place = { userId: "ada", form: "apps-create" };

beforeEach(() => {
  vi.useFakeTimers({ now });
  vi.stubGlobal("localStorage", storage());
  vi.stubGlobal("sessionStorage", storage());
  vi.stubGlobal("location", { pathname: "/apps/create" });
  mayKeepCopies();
  markStaying();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a copy belongs to one person and one form", () => {
  keepCopy(place, draftFrom(now));
  expect(findCopy(place)).toEqual(draftFrom(now));
  expect(findCopy({ ...place, userId: "bob" })).toBeNull();
  expect(findCopy({ ...place, form: "apps-edit-1" })).toBeNull();
  dropCopy(place);
  expect(findCopy(place)).toBeNull();
});

test("what is older than a day or cannot be read is removed, whoever's it is", () => {
  const others = { ...place, userId: "bob" };
  keepCopy(others, draftFrom(now - dayMs));
  keepCopy(place, draftFrom(now - dayMs + 1));
  localStorage.setItem("purser:draft:bob:broken", "{");
  localStorage.setItem("theme", "dark");
  expect(findCopy(place)).not.toBeNull();
  expect(Object.keys(localStorage)).toEqual(["purser:draft:ada:apps-create", "theme"]);
});

test("signing out removes everybody's copies, and none comes back until the server takes a draft", () => {
  keepCopy(place, draftFrom(now));
  keepCopy({ ...place, userId: "bob" }, draftFrom(now));
  forgetCopies();
  keepCopy(place, draftFrom(now));
  expect(Object.keys(localStorage)).toEqual([]);
  mayKeepCopies();
  keepCopy(place, draftFrom(now));
  expect(Object.keys(localStorage)).toHaveLength(1);
});

test("a browser that forbids its storage has no copies, and nothing fails", () => {
  const forbidden = () => {
    throw new Error("forbidden");
  };
  const closed = new Proxy({}, { get: forbidden, ownKeys: forbidden });
  vi.stubGlobal("localStorage", closed);
  vi.stubGlobal("sessionStorage", closed);
  keepCopy(place, draftFrom(now));
  dropCopy(place);
  forgetCopies();
  continueAfterReload();
  expect([findCopy(place), takeContinuation()]).toEqual([null, false]);
});

test("before a reload of ours everything open is kept, nobody is asked, and the same path goes on once", () => {
  const kept: string[] = [];
  const openForm = (name: string) => onFlush(async () => void kept.push(name));
  const close = openForm("closed again");
  close();
  const stop = openForm("open");
  expect(isLeaving()).toBe(false);
  continueAfterReload();
  // Before anything is waited for: the page ends now.
  expect([kept, isLeaving()]).toEqual([["open"], true]);
  expect([takeContinuation(), takeContinuation()]).toEqual([true, false]);
  continueAfterReload();
  vi.stubGlobal("location", { pathname: "/apps" });
  expect(takeContinuation()).toBe(false);
  stop();
});

test("what is open is waited for by whoever wants to", async () => {
  let isKept = false;
  const stop = onFlush(async () => {
    await Promise.resolve();
    isKept = true;
  });
  await flushDrafts();
  expect(isKept).toBe(true);
  stop();
});
