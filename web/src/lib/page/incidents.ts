import { type incidentKinds, reportIncident } from "@purser/contract/pages/incidents";
import { useSyncExternalStore } from "react";
import { CallError, call } from "../api/call.ts";
import { createListeners } from "../listeners.ts";
import { ChunkLoadError } from "./chunks.ts";
import { runtime } from "./runtime.ts";

export type Incident = {
  /** What the person can name, and the log has. */
  id: string;
  status: number;
};

type Report = { id: string; kind: (typeof incidentKinds)[number]; error: unknown };

/** Told to whoever runs the office. That it cannot be told is no trouble of its own. */
export const report = ({ id, kind, error }: Report) => {
  const { message, stack = "" } = error instanceof Error ? error : new Error(String(error));
  const cut = (text: string, max: number) => text.replace(/[^\P{C}\n]/gu, "").slice(0, max);
  void call(reportIncident, {
    signedOut: "tell",
    body: {
      id,
      kind,
      message: cut(message, 500),
      stack: cut(stack, 4000),
      path: cut(location.pathname, 500),
      build: runtime.build.id,
    },
  }).catch(() => undefined);
};

const known = new WeakMap<object, Incident>();

/** The incident that an error is. One that the server already has keeps its number; a new one is told. */
export const incidentOf = (error: unknown): Incident => {
  const key = typeof error === "object" && error !== null ? error : new Error(String(error));
  const before = known.get(key);
  if (before) return before;
  const problem = error instanceof CallError ? error.problem : null;
  const incident = {
    id: problem?.requestId || crypto.randomUUID(),
    status: problem?.status || 500,
  };
  known.set(key, incident);
  if (!problem?.requestId) report({ id: incident.id, kind: "error", error });
  return incident;
};

let current: Incident | null = null;
const { subscribe, tell } = createListeners();

const show = (next: Incident | null) => {
  current = next;
  tell();
};

/** Ends on purpose, or is told where it happened. */
const isExpected = (error: unknown) =>
  error instanceof ChunkLoadError ||
  (error instanceof Error && ["AbortError", "CancelledError"].includes(error.name));

/** What nothing else catches: the page that says so lies over the screen, which stays as it is. */
export const watchForIncidents = () => {
  addEventListener("error", ({ error }) => {
    // The browser's own notes, and scripts of other origins, carry no error.
    if (error && !isExpected(error)) show(incidentOf(error));
  });
  addEventListener("unhandledrejection", ({ reason }) => {
    if (!isExpected(reason)) show(incidentOf(reason));
  });
};

export const useIncident = () => useSyncExternalStore(subscribe, () => current);

export const goOnAfterIncident = () => show(null);
