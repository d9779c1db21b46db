import { z } from "zod";
import { activityPage, activityQuery } from "../workspace/audit.ts";
import { id, instant, record, version } from "../fields/primitives.ts";
import { commonFields } from "../fields/commonFields.ts";
import { endpoint } from "../http/endpoint.ts";
import {
  exportColumnsOf,
  fields,
  historyLabelsOf,
  listFieldsOf,
  readShape,
  writeNamesOf,
  writeShape,
} from "../fields/declarations.ts";
import { exportQuery, listQuery, pageOf, total } from "../http/list.ts";
import { amount } from "../fields/money.ts";
import { roles } from "../auth/permissions.ts";
import { countries, country, locale } from "../fields/places.ts";
import { email, plain, reason, text, timeZone } from "../fields/text.ts";

export const userStatuses = ["invited", "active", "suspended", "erased"] as const;
export type UserStatus = (typeof userStatuses)[number];

/** Somebody without a role buys; everybody else works here. */
export const userRoles = ["customer", ...roles] as const;

export const userFields = fields({
  id: commonFields.id,
  number: { label: "Number", read: plain },
  name: commonFields.name,
  email: {
    label: "E-mail",
    write: email,
    read: plain,
    list: { kind: "text", sort: true, columnWidth: 220 },
    form: { type: "email" },
  },
  status: {
    label: "Status",
    read: z.enum(userStatuses),
    list: { kind: "choice", options: userStatuses },
  },
  /** Held now. */
  package: { label: "Package", list: { kind: "relation" } },
  role: {
    label: "Role",
    read: z.enum(roles).nullable(),
    list: { kind: "choice", options: userRoles },
  },
  /** The sold apps' own id for a person. Once it is set it stays: the sold apps' code names it. */
  externalId: {
    label: "External id",
    write: text({ min: 1, max: 200 }).nullable().default(null),
    read: plain.nullable(),
    form: { mono: true, help: "What your apps call this person. Once it is set it stays." },
    revert: false,
  },
  /** What the person holds now, plans before add-ons. */
  packages: { label: "Package", read: z.array(z.object({ id, name: plain })) },
  /** When the next of their subscriptions renews. */
  renewsAt: { label: "Renews", read: instant.nullable() },
  /** What came in, and of it went back, by currency; the largest first. */
  spent: {
    label: "Spent",
    read: z.array(z.object({ currency: plain, total: amount, refunded: amount })),
  },
  country: {
    label: "Country",
    write: country.nullable().default(null),
    read: plain.nullable(),
    list: { kind: "choice", options: countries, columnWidth: 140 },
  },
  locale: { label: "Language", write: locale.nullable().default(null), read: plain.nullable() },
  timeZone: {
    label: "Time zone",
    write: timeZone.nullable().default(null),
    read: plain.nullable(),
  },
  /** Until when the link works that was sent to somebody invited. */
  invitedUntil: { label: "Invited until", read: instant.nullable(), export: false },
  /** The record that this one became part of; from then on it stays closed. */
  mergedIntoId: { label: "Merged into", column: "mergedInto", read: id.nullable() },
  version: commonFields.version,
  createdAt: commonFields.createdAt,
  updatedAt: { label: "Changed", read: instant },
});

export const userListFields = listFieldsOf(userFields);
export const userColumns = exportColumnsOf(userFields);
export const userLabels = historyLabelsOf(userFields);
export const userWritable = writeNamesOf(userFields);

const about = writeShape(userFields);

/** What may be written of a person. */
export const userDetails = z.strictObject({ ...about, reason: reason.optional() });
export type UserDetails = Omit<z.output<typeof userDetails>, "reason">;

/** What somebody writes down of a person. */
const noteText = text({ min: 1, max: 4000, lines: true });

export const newUser = z.strictObject({
  ...about,
  /** The first note about them; empty writes none. */
  note: text({ max: 4000, lines: true }).default(""),
  reason: reason.optional(),
});

export const user = z.object(readShape(userFields)).meta({ id: "User" });
export type User = z.output<typeof user>;

const act = z.strictObject({ reason: reason.optional() });

export const listUsers = endpoint({
  method: "GET",
  path: "/users",
  summary:
    "List people, found by how their address, external id or number begins or by any part of their name; staff only to those who may read staff",
  permission: "users:read",
  query: listQuery(userListFields),
  reply: pageOf(user),
});

const counted = total.unwrap();

export const countUsers = endpoint({
  method: "GET",
  path: "/users/counts",
  summary: "Count people, each exact up to 10,000; staff is null to those who may not read staff",
  permission: "users:read",
  reply: z.object({ everyone: counted, customers: counted, staff: counted.nullable() }),
});

export const exportUsers = endpoint({
  method: "GET",
  path: "/users/export",
  summary: "Take people away as a file: CSV, or one JSON document per line",
  permission: "users:read",
  query: exportQuery(userListFields, userColumns),
  reply: plain,
  file: true,
});

export const getUser = endpoint({
  method: "GET",
  path: "/users/:id",
  summary: "Read a person",
  permission: "users:read",
  params: record,
  reply: user,
});

export const createUser = endpoint({
  method: "POST",
  path: "/users",
  summary: "Create a customer",
  permission: "users:write",
  body: newUser,
  reply: user,
  status: 201,
  refusals: ["taken"],
});

export const changeUser = endpoint({
  method: "PUT",
  path: "/users/:id",
  summary: "Change what is known of a customer; an external id is set once",
  permission: "users:write",
  params: record,
  body: userDetails,
  reply: user,
  versioned: true,
  refusals: ["taken", "frozen", "wrong_state"],
});

export const suspendUser = endpoint({
  method: "POST",
  path: "/users/:id/suspend",
  summary: "Suspend a customer: they may use nothing until they are restored",
  permission: "users:write",
  params: record,
  body: act,
  reply: user,
  versioned: true,
  refusals: ["wrong_state"],
});

export const restoreUser = endpoint({
  method: "POST",
  path: "/users/:id/restore",
  summary: "Let a suspended customer use again what they hold",
  permission: "users:write",
  params: record,
  body: act,
  reply: user,
  versioned: true,
  refusals: ["wrong_state"],
});

const userActs = ["suspend", "restore"] as const;
export type UserAction = (typeof userActs)[number];

export const actOnUsers = endpoint({
  method: "POST",
  path: "/users/acts",
  summary: "Do the same to up to 100 customers; those that refuse stay as they are and say why",
  permission: "users:write",
  body: z.strictObject({
    act: z.enum(userActs),
    users: z
      .array(z.strictObject({ id, version }))
      .min(1)
      .max(100)
      .refine(
        (chosen) => new Set(chosen.map((one) => one.id)).size === chosen.length,
        "must not name a person twice",
      ),
    reason: reason.optional(),
  }),
  reply: z.object({
    done: z.array(user),
    refused: z.array(z.object({ id, name: plain, code: plain, detail: plain })),
  }),
});

const note = z
  .object({
    id,
    author: z.object({ id, name: plain }),
    text: plain,
    createdAt: instant,
    struckAt: instant.nullable(),
  })
  .meta({ id: "UserNote" });
export type UserNote = z.output<typeof note>;

export const listUserNotes = endpoint({
  method: "GET",
  path: "/users/:id/notes",
  summary: "List what staff wrote down of a person, newest first; at most the last 100",
  permission: "users:read",
  params: record,
  reply: z.object({ items: z.array(note) }),
});

export const addUserNote = endpoint({
  method: "POST",
  path: "/users/:id/notes",
  summary: "Write something down of a person; it is never rewritten",
  permission: "users:write",
  params: record,
  body: z.strictObject({ text: noteText }),
  reply: note,
  status: 201,
});

export const strikeUserNote = endpoint({
  method: "POST",
  path: "/users/:id/notes/:noteId/strike",
  summary: "Strike a note of your own; it stays to be read",
  permission: "users:write",
  params: record.extend({ noteId: id }),
  body: z.strictObject({}),
  reply: note,
  refusals: ["wrong_state"],
});

export const getUserActivity = endpoint({
  method: "GET",
  path: "/users/:id/activity",
  summary: "List what happened to a person, their rights, subscriptions and notes, newest first",
  permission: "users:read",
  params: record,
  query: activityQuery,
  reply: activityPage,
});
