import { fields } from "./declarations.ts";
import { id, instant, version } from "./primitives.ts";
import { code, plain, text } from "./text.ts";

/** Fields with the same meaning in several entities. */
export const commonFields = fields({
  id: { label: "ID", read: id },
  name: {
    label: "Name",
    write: text({ min: 1, max: 120 }),
    read: plain,
    list: { kind: "text", sort: true },
  },
  /** The identifier in the API. */
  code: { label: "Code", write: code, read: plain, list: { kind: "text", sort: true } },
  description: {
    label: "Description",
    write: text({ max: 2000, lines: true }).default(""),
    read: plain,
    form: { lines: true },
  },
  version: { label: "Version", read: version, export: false },
  createdAt: { label: "Created", read: instant, list: { kind: "instant", sort: true } },
  updatedAt: { label: "Updated", read: instant, list: { kind: "instant", sort: true } },
});
