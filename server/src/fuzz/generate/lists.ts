import fc from "fast-check";
import { type Document, resolveSchema, type Schema, type Target } from "../document.ts";
import { formats, naughtyText, readableText, wildText } from "./strings.ts";

type Kind = "text" | "number" | "instant" | "choice" | "relation" | "boolean";
type Field = { name: string; kind: Kind; options: string[] };

const operators: Record<Kind, string[]> = {
  text: ["is", "not", "contains", "starts", "empty"],
  number: ["eq", "ne", "lt", "lte", "gt", "gte", "between"],
  instant: ["on", "before", "after", "between", "last", "this"],
  choice: ["any", "none"],
  relation: ["any", "none"],
  boolean: ["is"],
};

const kindOf = (schema: Schema): Kind => {
  if (schema.enum || schema.items?.enum) return "choice";
  if (schema.properties?.["id"]) return "relation";
  if (schema.format === "date-time") return "instant";
  if (schema.type === "integer" || schema.type === "number") return "number";
  return schema.type === "boolean" ? "boolean" : "text";
};

/** The fields of a list's items, which are probably its filters. The document doesn't declare them. */
const fieldsOf = (document: Document, { responses }: Target): Field[] => {
  const reply = responses["200"]?.content?.["application/json"]?.schema ?? {};
  const item = resolveSchema(document, reply).properties?.["items"]?.items ?? {};
  const { properties = {} } = resolveSchema(document, item);
  return Object.entries(properties).map(([name, property]) => {
    const resolved = resolveSchema(document, property);
    const schema = resolved.anyOf?.[0] ?? resolved;
    const options = (schema.enum ?? schema.items?.enum ?? []).map(String);
    return { name, kind: kindOf(schema), options };
  });
};

const strangeFields = ["__proto__", "constructor", "toString", "", "Name", "name; drop table apps"];
const numbers = ["0", "-1", "007", "1.5", "2147483648", "999999999999999", "-999999999999999"];
const times = fc.oneof(
  ...["date", "date-time"].flatMap((format) => Object.values(formats[format] ?? {})),
  ...["date", "date-time"].flatMap((format) => formats[format]?.wild ?? []),
);
const spans: Record<string, fc.Arbitrary<string>> = {
  last: fc.constantFrom("1", "9999", "10000", "0", "-1"),
  this: fc.constantFrom("day", "week", "month", "year", "century"),
};

const ids = fc.oneof(
  ...Object.values(formats["uuid"] ?? {}),
  fc.uuid().map((id) => id.toUpperCase()),
  fc.constant("01a1dd06-0000-7000-8000-000000000000"),
);

const operandOf = ({ kind, options }: Field, operator: string): fc.Arbitrary<string> => {
  switch (kind) {
    case "number":
      return fc.constantFrom(...numbers);
    case "instant":
      return spans[operator] ?? times;
    case "choice":
      return fc.constantFrom(...options, "", "unknown");
    case "relation":
      return ids;
    case "boolean":
      return fc.constantFrom("true", "false", "1");
    default:
      return fc.oneof(readableText({}), wildText({ maxLength: 200 }));
  }
};

const joined = (operand: fc.Arbitrary<string>, operator: string) => {
  const counts: Record<string, [number, number]> = { between: [1, 3], any: [1, 4], none: [1, 4] };
  const [minLength, maxLength] = counts[operator] ?? [1, 1];
  if (operator === "empty") return fc.constantFrom("", "x");
  return fc.array(operand, { minLength, maxLength }).map((operands) => operands.join(","));
};

const filterBy = (field: Field) =>
  fc
    .constantFrom(...operators[field.kind])
    .chain((operator) =>
      joined(operandOf(field, operator), operator).map(
        (operands) => `${field.name}:${operator}:${operands}`,
      ),
    );

const strangeFilter = (names: string[]) =>
  fc
    .tuple(
      fc.constantFrom(...names, ...strangeFields),
      fc.constantFrom(...Object.values(operators).flat(), "", "__proto__", "constructor"),
      fc.oneof(naughtyText, fc.constant(Array(101).fill("web").join(","))),
    )
    .map((parts) => parts.join(":"));

/** Filters and sorts by the fields of the items, and by unknown ones. */
export const listGrammar = (document: Document, target: Target) => {
  const fields = fieldsOf(document, target);
  const names = fields.map(({ name }) => name);
  const f = fc.oneof(
    // Weighted higher, because times have the richest grammar.
    ...fields.map((field) => ({
      weight: field.kind === "instant" ? 6 : 2,
      arbitrary: filterBy(field),
    })),
    { weight: 2, arbitrary: strangeFilter(names) },
    { weight: 1, arbitrary: naughtyText },
  );
  const key = fc
    .tuple(
      fc.constantFrom("", "", "-", "--"),
      fc.oneof(
        { weight: 6, arbitrary: fc.constantFrom("", ...names) },
        { weight: 1, arbitrary: fc.constantFrom(...strangeFields) },
      ),
    )
    .map(([sign, name]) => `${sign}${name}`);
  const sort = fc.array(key, { minLength: 1, maxLength: 4 }).map((keys) => keys.join(","));
  return { f, sort };
};
