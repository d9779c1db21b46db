import { z } from "zod";
import { between } from "../fields/commonRules.ts";
import { id, instant } from "../fields/primitives.ts";
import { plain, text, timeZone, token } from "../fields/text.ts";
import { rule } from "../messages/rules.ts";
import { numberedRowsMax } from "./numberedRows.ts";

/** A field for filtering and sorting. Sortable fields are never null, so that the order is total. */
export type Field = (
  | { kind: "text" | "number" | "instant" | "boolean"; sort?: true }
  /** Another record, by its id. */
  | { kind: "relation"; sort?: never }
  | { kind: "choice" | "set"; options: readonly string[]; sort?: true }
) & {
  /** Adds a plain column of this width in CSS pixels, hidden by default. */
  columnWidth?: number;
};
export type Fields = Record<string, Field>;
export type ListField = Field & { label: string };

export const operators = {
  text: ["is", "not", "contains", "starts", "empty"],
  number: ["eq", "ne", "lt", "lte", "gt", "gte", "between"],
  instant: ["on", "before", "after", "between", "last", "this", "previous"],
  choice: ["any", "none"],
  set: ["any", "none"],
  relation: ["any", "none"],
  boolean: ["is"],
} as const;

const periods = ["day", "week", "month", "quarter", "year"];
const day = z.iso.date();
const isDay = (value: string) => !value.startsWith("0000") && day.safeParse(value).success;
const number = /^-?(0|[1-9]\d{0,14})$/;

export type Filter = { field: string; operator: string; values: string[] };
export type Sort = { field: string; descending: boolean };

const isOperand = (field: Field, operator: string, value: string) => {
  switch (field.kind) {
    case "number":
      return number.test(value);
    case "choice":
    case "set":
      return field.options.includes(value);
    case "relation":
      return id.safeParse(value).success;
    case "boolean":
      return value === "true" || value === "false";
    case "instant":
      if (operator === "last") return /^[1-9]\d{0,3}$/.test(value);
      if (operator === "this" || operator === "previous") return periods.includes(value);
      return isDay(value) || (!value.startsWith("0000") && instant.safeParse(value).success);
    default:
      return searchText.safeParse(value).success;
  }
};

const searchText = text({ max: 200 });

const operandsOf = (field: Field, operator: string, raw: string) => {
  if (operator === "empty") return raw === "" ? [] : null;
  const many = operator === "any" || operator === "none";
  const values = many || operator === "between" ? raw.split(",") : [raw];
  if (operator === "between" && values.length !== 2) return null;
  return values.length <= 100 && values.every((value) => isOperand(field, operator, value))
    ? values
    : null;
};

/** Parses one `f=field:operator:value`, or returns what is wrong with it. */
const parseFilter = (fields: Fields, source: string): Filter | string => {
  const [name = "", operator = "", ...rest] = source.split(":");
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (!field)
    return rule("filter_field_unknown", "Unknown filter field. Available fields are {fields}.", {
      fields: Object.keys(fields),
    });
  const known: readonly string[] = operators[field.kind];
  if (!known.includes(operator))
    return rule(
      "filter_operator_unknown",
      "Unknown operator for {field}. Available operators are {operators}.",
      {
        field: name,
        operators: [...known],
      },
    );
  const values = operandsOf(field, operator, rest.join(":"));
  return values
    ? { field: name, operator, values }
    : rule("filter_value_invalid", "The value isn't valid for {field}:{operator}.", {
        field: name,
        operator,
      });
};

const parseSort = (fields: Fields, source: string): Sort | string => {
  const descending = source.startsWith("-");
  const name = descending ? source.slice(1) : source;
  if (Object.hasOwn(fields, name) && fields[name]?.sort) return { field: name, descending };
  const sortable = Object.keys(fields).filter((field) => fields[field]?.sort);
  return rule("sort_field_unknown", "Unknown sort field. Available fields are {fields}.", {
    fields: sortable,
  });
};

const filters = (fields: Fields) =>
  z
    .union([text({ max: 500 }), z.array(text({ max: 500 })).max(10)])
    .optional()
    .transform((given, context) => {
      const sources = given === undefined ? [] : Array.isArray(given) ? given : [given];
      return sources.flatMap((source, index) => {
        const filter = parseFilter(fields, source);
        if (typeof filter !== "string") return [filter];
        context.addIssue({ code: "custom", message: filter, path: [index] });
        return [];
      });
    });

const sorts = (fields: Fields) =>
  text({ max: 200 })
    .optional()
    .transform((given, context) => {
      const keys = given ? given.split(",") : [];
      if (keys.length > 3)
        context.addIssue({
          code: "custom",
          message: rule("sort_fields_too_many", "Sort by at most 3 fields."),
        });
      const parsed = keys.map((key) => parseSort(fields, key));
      for (const message of parsed.filter((key) => typeof key === "string"))
        context.addIssue({ code: "custom", message });
      return parsed.filter((key) => typeof key !== "string");
    });

export const wholeNumber = (min: number, max: number) =>
  text({ max: 15 })
    .superRefine((value, context) => {
      const fits = /^(0|[1-9]\d*)$/.test(value) && Number(value) >= min && Number(value) <= max;
      if (!fits) context.addIssue({ code: "custom", message: between(min, max) });
    })
    .transform(Number)
    .meta({ type: "integer", minimum: min, maximum: max });

export const cursor = token(
  /^[A-Za-z0-9_-]{1,1200}$/,
  rule("cursor_malformed", "Send a cursor from an earlier response."),
);

/** Filters and order of a list. */
export const selection = <F extends Fields>(fields: F) => ({
  q: searchText.optional(),
  f: filters(fields),
  sort: sorts(fields),
});

const namesOf = (source: string) => source.split(",");

/** The query of an export: the rows of a list, or selected ones, in some of its columns. */
export const exportQuery = <F extends Fields>(
  fields: F,
  columns: readonly string[],
  rowId: z.ZodType<string, string> = id,
) =>
  z.strictObject({
    ...selection(fields),
    /** Only these rows. */
    ids: text({ max: 4000 }).transform(namesOf).pipe(z.array(rowId).max(100)).optional(),
    format: z.enum(["csv", "jsonl"]),
    columns: text({ max: 1000 })
      .transform(namesOf)
      .pipe(z.array(z.enum(columns)).min(1).max(columns.length))
      .meta({ pattern: `^(${columns.join("|")})(,(${columns.join("|")}))*$` }),
    /** The time zone of the file, UTC by default. */
    zone: timeZone.optional(),
  });

const fieldsByQuery = new WeakMap<z.ZodType, Fields>();

/** The fields of a list, by the query of its endpoint. */
export const listFieldsOfQuery = (query: z.ZodType | undefined) =>
  query && fieldsByQuery.get(query);

/** The query grammar of all lists: search, filters, sort and position. */
export const listQuery = <F extends Fields>(fields: F) => {
  const query = listGrammar(fields);
  fieldsByQuery.set(query, fields);
  return query;
};

const listGrammar = <F extends Fields>(fields: F) =>
  z
    .strictObject({
      ...selection(fields),
      size: wholeNumber(1, 100).optional(),
      page: wholeNumber(1, numberedRowsMax).optional(),
      /** The page after that row. */
      after: cursor.optional(),
      /** The page before that row; `end` is the last page. */
      before: z.union([z.literal("end"), cursor]).optional(),
      /** The page with the first row of a day, in a list sorted by a date. */
      at: day.refine(isDay).optional(),
      /** `none` for following pages, `exact` on request because it is slow. */
      count: z.enum(["none", "capped", "exact"]).optional(),
    })
    .superRefine(({ page, size = 25, after, before, at }, context) => {
      if ([page, after, before, at].filter((place) => place !== undefined).length > 1)
        context.addIssue({
          code: "custom",
          path: ["page"],
          message: rule("page_ambiguous", "Send only one of page, after, before and at."),
        });
      if (page !== undefined && page * size > numberedRowsMax)
        context.addIssue({
          code: "custom",
          path: ["page"],
          message: rule(
            "page_too_far",
            "Showing the first {max} results. Narrow the filter to see others.",
            {
              max: numberedRowsMax,
            },
          ),
        });
    });
export type ListQuery = z.output<ReturnType<typeof listGrammar>>;

/** The number of matching rows: exact, a minimum, or the planner's estimate. */
export const rowCount = z.object({ count: z.int(), kind: z.enum(["exact", "at least", "about"]) });
/** Null if no count was requested. */
export const total = rowCount.nullable();
export type Total = z.output<typeof total>;

export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({
    items: z.array(item),
    previous: plain.nullable(),
    next: plain.nullable(),
    total,
    /**
     * If a condition has no index and the page isn't full: how many rows were searched. The cursor continues the search.
     */
    searched: z.int().nullable(),
  });
