import { z } from "zod";
import { activityPage, activityQuery } from "./audit.ts";
import { id, instant, record, version } from "./common.ts";
import { endpoint } from "./endpoint.ts";
import { exportQuery, type Fields, listQuery, pageOf, total } from "./list.ts";
import { amount } from "./money.ts";
import { roles } from "./permissions.ts";
import { countries, country, locale } from "./places.ts";
import { email, plain, reason, text, timeZone } from "./text.ts";

export const userStatuses = ["invited", "active", "suspended", "erased"] as const;
export type UserStatus = (typeof userStatuses)[number];

/** Somebody without a role buys; everybody else works here. */
export const userRoles = ["customer", ...roles] as const;

const name = text({ min: 1, max: 120 });

/** The sold apps' own id for a person. */
const externalId = text({ min: 1, max: 200 });

const about = {
  name,
  email,
  /** Once it is set it stays: the sold apps' code names it. */
  externalId: externalId.nullable().default(null),
  country: country.nullable().default(null),
  locale: locale.nullable().default(null),
  timeZone: timeZone.nullable().default(null),
};

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

export const user = z
  .object({
    id,
    number: plain,
    email: plain,
    name: plain,
    role: z.enum(roles).nullable(),
    status: z.enum(userStatuses),
    externalId: plain.nullable(),
    country: plain.nullable(),
    locale: plain.nullable(),
    timeZone: plain.nullable(),
    /** What the person holds now, plans before add-ons. */
    packages: z.array(z.object({ id, name: plain })),
    /** When the next of their subscriptions renews. */
    renewsAt: instant.nullable(),
    /** What came in, and of it went back, by currency; the largest first. */
    spent: z.array(z.object({ currency: plain, total: amount, refunded: amount })),
    /** Until when the link works that was sent to somebody invited. */
    invitedUntil: instant.nullable(),
    /** The record that this one became part of; from then on it stays closed. */
    mergedIntoId: id.nullable(),
    version,
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: "User" });
export type User = z.output<typeof user>;

export const userFields = {
  name: { kind: "text", sort: true },
  email: { kind: "text", sort: true },
  status: { kind: "choice", options: userStatuses },
  /** Held now. */
  package: { kind: "relation" },
  role: { kind: "choice", options: userRoles },
  country: { kind: "choice", options: countries },
  createdAt: { kind: "instant", sort: true },
} as const satisfies Fields;

const act = z.strictObject({ reason: reason.optional() });

export const listUsers = endpoint({
  method: "GET",
  path: "/users",
  summary:
    "List people, found by how their address, external id or number begins or by any part of their name; staff only to those who may read staff",
  permission: "users:read",
  query: listQuery(userFields),
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

export const userColumns = [
  "id",
  "number",
  "name",
  "email",
  "status",
  "role",
  "externalId",
  "packages",
  "renewsAt",
  "spent",
  "country",
  "locale",
  "timeZone",
  "mergedIntoId",
  "createdAt",
  "updatedAt",
] as const;

export const exportUsers = endpoint({
  method: "GET",
  path: "/users/export",
  summary: "Take people away as a file: CSV, or one JSON document per line",
  permission: "users:read",
  query: exportQuery(userFields, userColumns),
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
export type UserAct = (typeof userActs)[number];

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
