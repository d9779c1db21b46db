import { z } from "zod";
import { id, instant, record } from "../fields/primitives.ts";
import { plain, text } from "../fields/text.ts";
import { endpoint } from "../http/endpoint.ts";
import { importColumnsMax, importKinds } from "./imports.ts";

export const importMappingsMax = 200;

const column = z.object({ column: text({ max: 200 }), field: text({ min: 1, max: 40 }) });

const importMapping = z
  .object({
    id,
    kind: z.enum(importKinds),
    name: plain,
    /** The field of each column that is imported, by the column's name. */
    fields: z.array(z.object({ column: plain, field: plain })),
    createdBy: z.object({ id, name: plain }),
    createdAt: instant,
  })
  .meta({ id: "ImportMapping" });
export type ImportMapping = z.output<typeof importMapping>;

export const listImportMappings = endpoint({
  method: "GET",
  path: "/imports/mappings",
  summary: "List saved column mappings by name",
  permission: "imports:write",
  query: z.strictObject({ kind: z.enum(importKinds) }),
  reply: z.object({ items: z.array(importMapping) }),
});

export const saveImportMapping = endpoint({
  method: "POST",
  path: "/imports/mappings",
  summary: "Save a column mapping for the team",
  permission: "imports:write",
  body: z.strictObject({
    kind: z.enum(importKinds),
    name: text({ min: 1, max: 80 }),
    fields: z.array(column.strict()).min(1).max(importColumnsMax),
  }),
  reply: importMapping,
  status: 201,
  refusals: ["taken", "wrong_state"],
});

export const deleteImportMapping = endpoint({
  method: "DELETE",
  path: "/imports/mappings/:id",
  summary: "Delete a saved column mapping",
  permission: "imports:write",
  params: record,
});
