import { z } from "zod";
import { nothing, record } from "../fields/primitives.ts";
import { plain, text } from "../fields/text.ts";
import { endpoint } from "../http/endpoint.ts";
import { oneImport } from "./imports.ts";

const action = { permission: "imports:write", params: record, body: nothing } as const;

export const startImport = endpoint({
  ...action,
  method: "POST",
  path: "/imports/:id/start",
  summary: "Import the checked rows",
  proof: "recent",
  approval: "grant",
  reply: oneImport,
  refusals: ["wrong_state"],
});

export const pauseImport = endpoint({
  ...action,
  method: "POST",
  path: "/imports/:id/pause",
  summary: "Pause a running import",
  reply: oneImport,
  refusals: ["wrong_state"],
});

export const resumeImport = endpoint({
  ...action,
  method: "POST",
  path: "/imports/:id/resume",
  summary: "Continue a paused import",
  reply: oneImport,
  refusals: ["wrong_state"],
});

export const stopImport = endpoint({
  ...action,
  method: "POST",
  path: "/imports/:id/stop",
  summary: "Cancel an import, or stop it and keep what is imported",
  reply: oneImport,
  refusals: ["wrong_state"],
});

export const undoImport = endpoint({
  ...action,
  method: "POST",
  path: "/imports/:id/undo",
  summary: "Undo an import",
  proof: "recent",
  body: z.strictObject({ reason: text({ min: 1, max: 500 }) }),
  reply: oneImport,
  refusals: ["wrong_state"],
});

export const exportRejectedRows = endpoint({
  method: "GET",
  path: "/imports/:id/rejected",
  summary: "Download the rejected rows with their errors as CSV",
  permission: "imports:write",
  proof: "recent",
  params: record,
  query: z.strictObject({ format: z.enum(["csv"]).default("csv") }),
  reply: plain,
  file: true,
  refusals: ["wrong_state"],
});
