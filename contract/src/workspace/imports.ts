import { z } from "zod";
import type { Permission } from "../auth/permissions.ts";
import { id, instant, record } from "../fields/primitives.ts";
import { fileText, plain, text } from "../fields/text.ts";
import { endpoint } from "../http/endpoint.ts";
import { wholeNumber } from "../http/list.ts";
import { message } from "../messages/schema.ts";
import { dateOrders, decimalMarks, writtenSigns } from "./importValues.ts";

export const importKinds = ["customers", "subscriptions", "transactions", "codes"] as const;
export type ImportKind = (typeof importKinds)[number];

/** What a team member must be allowed to do by hand to import it. */
export const importPermissions = {
  customers: "users:write",
  subscriptions: "transactions:write",
  transactions: "transactions:write",
  codes: "promotions:write",
} as const satisfies Record<ImportKind, Permission>;

/** The fields that columns of a file can be mapped to. */
export const importFields = {
  customers: [
    "externalId",
    "email",
    "name",
    "company",
    "addressLine1",
    "addressLine2",
    "postalCode",
    "city",
    "region",
    "country",
    "vatNumber",
    "locale",
    "timeZone",
    "createdAt",
  ],
  subscriptions: [
    ...(["reference", "provider", "customerId", "email", "package", "interval"] as const),
    ...(["currency", "price", "quantity", "startedAt", "periodStart", "periodEnd"] as const),
    ...(["status", "cancelsAtPeriodEnd", "endedAt"] as const),
  ],
  transactions: [
    ...(["reference", "provider", "customerId", "email", "date", "currency", "amount"] as const),
    ...(["tax", "taxRate", "status", "refundedAmount", "refundedAt", "description"] as const),
    ...(["package", "subscription", "periodStart", "periodEnd"] as const),
  ],
  codes: ["code", "promotion", "redemptionLimit"],
} as const satisfies Record<ImportKind, readonly string[]>;
export type ImportField = (typeof importFields)[ImportKind][number];

/** Fields without which no row can be imported. */
export const requiredImportFields: Record<ImportKind, readonly ImportField[]> = {
  customers: ["email"],
  subscriptions: ["reference", "package", "interval", "currency", "periodStart", "periodEnd"],
  transactions: ["reference", "date", "currency", "amount"],
  codes: ["code", "promotion"],
};

/** What recognizes the record of a row. */
export const importKeyFields: Record<ImportKind, ImportField> = {
  customers: "externalId",
  subscriptions: "reference",
  transactions: "reference",
  codes: "code",
};

export const importStatuses = [
  ...(["uploading", "uploaded", "checking", "checked", "running", "paused"] as const),
  ...(["finished", "stopped", "canceled", "undoing", "undone"] as const),
] as const;
export type ImportStatus = (typeof importStatuses)[number];

export const importOutcomes = ["new", "update", "unchanged", "rejected"] as const;
const outcomeCounts = z.object({
  new: z.int(),
  update: z.int(),
  unchanged: z.int(),
  rejected: z.int(),
});
export type OutcomeCounts = z.output<typeof outcomeCounts>;

/** The most characters of one part of a file. */
export const importPartMax = 500_000;
export const importColumnsMax = 100;

const errorCount = z.object({ field: plain, code: plain, rows: z.int() });

export const oneImport = z
  .object({
    id,
    kind: z.enum(importKinds),
    /** The name of the file. */
    name: plain,
    status: z.enum(importStatuses),
    createdBy: z.object({ id, name: plain }),
    createdAt: instant,
    startedAt: instant.nullable(),
    finishedAt: instant.nullable(),
    /** The number of received parts and of their bytes, and of complete rows in them. */
    parts: z.int(),
    bytes: z.int(),
    rows: z.int(),
    /** The header of the file, with the first values of each column. */
    columns: z.array(
      z.object({
        name: plain,
        samples: z.array(plain),
        /** What its values show about how numbers and dates are written. */
        written: z.array(z.enum(writtenSigns)),
      }),
    ),
    /** The field of each column, or null if it isn't imported. */
    mapping: z.array(plain.nullable()),
    /** How numbers and dates are written. Null if no value depends on it, or before the mapping. */
    decimalMark: z.enum(decimalMarks).nullable(),
    dateOrder: z.enum(dateOrders).nullable(),
    /** The last row that the current job has finished. */
    position: z.int(),
    /** What checking found, and the errors by field, most frequent first. */
    checked: outcomeCounts,
    errors: z.array(errorCount),
    /** Values that can be replaced in all rows at once. */
    suggestions: z.array(z.object({ field: plain, from: plain, to: plain, rows: z.int() })),
    /** What the import has done so far. */
    done: outcomeCounts,
    /** Of the new subscriptions, how many had already ended. */
    ended: z.int(),
    undone: z.int().nullable(),
    /** Whether the rows are still stored, for the file of rejected rows and for undoing. */
    hasRows: z.boolean(),
    /** For how many days after the end. */
    keptDays: z.int(),
    canUndo: z.boolean(),
  })
  .meta({ id: "Import" });
export type Import = z.output<typeof oneImport>;

const importSummary = oneImport.pick({
  id: true,
  kind: true,
  name: true,
  status: true,
  createdBy: true,
  createdAt: true,
  rows: true,
  done: true,
});

export const listImports = endpoint({
  method: "GET",
  path: "/imports",
  summary: "List the latest 50 imports",
  permission: "imports:write",
  reply: z.object({ items: z.array(importSummary), mbMax: z.int() }),
});

export const createImport = endpoint({
  method: "POST",
  path: "/imports",
  summary: "Start the upload of a CSV file",
  permission: "imports:write",
  body: z.strictObject({ kind: z.enum(importKinds), name: text({ min: 1, max: 200 }) }),
  reply: oneImport,
  status: 201,
  refusals: ["forbidden"],
});

export const uploadImportPart = endpoint({
  method: "PUT",
  path: "/imports/:id/parts/:part",
  summary: "Upload the next part of the file",
  permission: "imports:write",
  params: z.strictObject({ id, part: wholeNumber(1, 1_000_000) }),
  body: z.strictObject({ text: fileText(importPartMax), isLast: z.boolean() }),
  reply: z.object({ status: z.enum(importStatuses), parts: z.int(), rows: z.int() }),
  bodyKbMax: 3072,
  refusals: ["wrong_state"],
});

export const getImport = endpoint({
  method: "GET",
  path: "/imports/:id",
  summary: "Retrieve an import",
  permission: "imports:write",
  params: record,
  reply: oneImport,
});

export const mapImport = endpoint({
  method: "PUT",
  path: "/imports/:id/mapping",
  summary: "Map the columns and check all rows",
  permission: "imports:write",
  params: record,
  body: z.strictObject({
    mapping: z.array(text({ min: 1, max: 40 }).nullable()).max(importColumnsMax),
    /** Required if the values of the mapped columns don't show it. */
    decimalMark: z.enum(decimalMarks).nullable().default(null),
    dateOrder: z.enum(dateOrders).nullable().default(null),
  }),
  reply: oneImport,
  refusals: ["wrong_state"],
});

export const replaceInImport = endpoint({
  method: "POST",
  path: "/imports/:id/replacements",
  summary: "Replace a value in all rows and check them again",
  permission: "imports:write",
  params: record,
  body: z.strictObject({
    field: text({ min: 1, max: 40 }),
    from: text({ min: 1, max: 200 }),
    to: text({ min: 1, max: 200 }),
  }),
  reply: oneImport,
  refusals: ["wrong_state"],
});

export const importRowFilters = ["all", "rejected"] as const;

const importRow = z.object({
  row: z.int(),
  outcome: z.enum(importOutcomes),
  /** The cells of the mapped columns, by field. */
  cells: z.record(plain, plain),
  errors: z.array(z.object({ field: plain.nullable(), message })),
});
export type ImportRow = z.output<typeof importRow>;

export const listImportRows = endpoint({
  method: "GET",
  path: "/imports/:id/rows",
  summary: "List checked rows of an import",
  permission: "imports:write",
  params: record,
  query: z.strictObject({
    show: z.enum(importRowFilters).default("all"),
    after: wholeNumber(0, 999_999_999).default(0),
  }),
  reply: z.object({ items: z.array(importRow), next: z.int().nullable() }),
});
