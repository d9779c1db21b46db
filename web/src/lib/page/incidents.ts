import { type incidentKinds, reportIncident } from "@purser/contract/pages/incidents";
import { useSyncExternalStore } from "react";
import { CallError, call } from "../api/call.ts";
import { createListeners } from "../listeners.ts";
import { ChunkLoadError } from "./chunks.ts";
import { runtime } from "./runtime.ts";

export type Incident = {
  /** The number shown to the user and written to the log. */
  id: string;
  status: number;
};

type Report = { id: string; kind: (typeof incidentKinds)[number]; error: unknown };

/** Reports the error to the server's log. A failing report is ignored. */
export const report = ({ id, kind, error }: Report) => {
  const { message, stack = "" } = error instanceof Error ? error : new Error(String(error));
  const cut = (text: string, max: number) => text.replace(/[^\P{C}\n]/gu, "").slice(0, max);
  void call(reportIncident, {
    signedOut: "throw",
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

/**
 * The incident for an error. Errors from the server keep their request id; others get a new id and
 * are reported.
 */
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
const { subscribe, notify } = createListeners();

const show = (next: Incident | null) => {
  current = next;
  notify();
};

/** Cancelled on purpose, or shown where it happened. */
const isExpected = (error: unknown) =>
  error instanceof ChunkLoadError ||
  (error instanceof Error && ["AbortError", "CancelledError"].includes(error.name));

/** Shows the incident page over the screen for errors that nothing else catches. */
export const watchForIncidents = () => {
  addEventListener("error", ({ error }) => {
    // Browser warnings and cross-origin scripts carry no error object.
    if (error && !isExpected(error)) show(incidentOf(error));
  });
  addEventListener("unhandledrejection", ({ reason }) => {
    if (!isExpected(reason)) show(incidentOf(reason));
  });
};

export const useIncident = () => useSyncExternalStore(subscribe, () => current);

export const dismissIncident = () => show(null);
