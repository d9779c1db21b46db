import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { dayMs } from "../time/dates.ts";
import {
  allowCopies,
  consumeContinuation,
  continueAfterReload,
  findCopy,
  flushDrafts,
  onFlush,
  removeAllCopies,
  removeCopy,
  saveCopy,
} from "./drafts.ts";
import { isLeaving, markStaying } from "./unsavedChanges.ts";

/** Like a browser's storage, where stored keys are also the object's own properties. */
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
  allowCopies();
  markStaying();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("keeps one copy per user and form", () => {
  saveCopy(place, draftFrom(now));
  expect(findCopy(place)).toEqual(draftFrom(now));
  expect(findCopy({ ...place, userId: "bob" })).toBeNull();
  expect(findCopy({ ...place, form: "apps-edit-1" })).toBeNull();
  removeCopy(place);
  expect(findCopy(place)).toBeNull();
});

test("removes copies of any user that are unreadable or older than a day", () => {
  const others = { ...place, userId: "bob" };
  saveCopy(others, draftFrom(now - dayMs));
  saveCopy(place, draftFrom(now - dayMs + 1));
  localStorage.setItem("purser:draft:bob:broken", "{");
  localStorage.setItem("theme", "dark");
  expect(findCopy(place)).not.toBeNull();
  expect(Object.keys(localStorage)).toEqual(["purser:draft:ada:apps-create", "theme"]);
});

test("removes all copies on sign-out and keeps none until the server accepts a draft", () => {
  saveCopy(place, draftFrom(now));
  saveCopy({ ...place, userId: "bob" }, draftFrom(now));
  removeAllCopies();
  saveCopy(place, draftFrom(now));
  expect(Object.keys(localStorage)).toEqual([]);
  allowCopies();
  saveCopy(place, draftFrom(now));
  expect(Object.keys(localStorage)).toHaveLength(1);
});

test("works without copies where storage is blocked", () => {
  const forbidden = () => {
    throw new Error("forbidden");
  };
  const closed = new Proxy({}, { get: forbidden, ownKeys: forbidden });
  vi.stubGlobal("localStorage", closed);
  vi.stubGlobal("sessionStorage", closed);
  saveCopy(place, draftFrom(now));
  removeCopy(place);
  removeAllCopies();
  continueAfterReload();
  expect([findCopy(place), consumeContinuation()]).toEqual([null, false]);
});

test("keeps open forms before a reload without asking, and restores the same path once", () => {
  const kept: string[] = [];
  const openForm = (name: string) => onFlush(async () => void kept.push(name));
  const close = openForm("closed again");
  close();
  const stop = openForm("open");
  expect(isLeaving()).toBe(false);
  continueAfterReload();
  // Checked before awaiting anything, because the page ends now.
  expect([kept, isLeaving()]).toEqual([["open"], true]);
  expect([consumeContinuation(), consumeContinuation()]).toEqual([true, false]);
  continueAfterReload();
  vi.stubGlobal("location", { pathname: "/apps" });
  expect(consumeContinuation()).toBe(false);
  stop();
});

test("waits until open forms are saved", async () => {
  let isKept = false;
  const stop = onFlush(async () => {
    await Promise.resolve();
    isKept = true;
  });
  await flushDrafts();
  expect(isKept).toBe(true);
  stop();
});
