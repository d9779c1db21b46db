import fc from "fast-check";
import { type Document, resolveSchema, type Schema } from "../document.ts";
import { at, isObject } from "./known.ts";
import { naughtyText } from "./strings.ts";

type Path = readonly (string | number)[];
type Site = { path: Path; value: unknown; schema: Schema };

/** Every path in the value, with its schema. */
const sitesOf = (document: Document, value: unknown, given: Schema, path: Path = []): Site[] => {
  const resolved = resolveSchema(document, given);
  const wanted = Array.isArray(value) ? "array" : isObject(value) ? "object" : null;
  const options = resolved.anyOf ?? resolved.oneOf ?? [resolved];
  const schema = options.find(({ type }) => wanted === null || type === wanted) ?? {};
  const here = { path, value, schema };
  const below = (key: string | number, inner: unknown, of: Schema = {}) =>
    sitesOf(document, inner, of, [...path, key]);
  if (Array.isArray(value))
    return [here, ...value.flatMap((item, index) => below(index, item, schema.items))];
  if (!isObject(value)) return [here];
  return [
    here,
    ...Object.entries(value).flatMap(([key, item]) => below(key, item, schema.properties?.[key])),
  ];
};

/** Replaces the value at the path, or removes it if `next` returns undefined. */
const changeAt = (value: unknown, path: Path, next: (old: unknown) => unknown): unknown => {
  const [key, ...rest] = path;
  if (key === undefined) return next(value);
  if (Array.isArray(value))
    return value.flatMap((item, index) => {
      if (index !== key) return [item];
      const changed = changeAt(item, rest, next);
      return changed === undefined ? [] : [changed];
    });
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, item]) => {
      if (name !== key) return [[name, item]];
      const changed = changeAt(item, rest, next);
      return changed === undefined ? [] : [[name, changed]];
    }),
  );
};

const huge = [2 ** 31, -(2 ** 31) - 1, 2 ** 53, 2 ** 63, 1e21, 1e308, -1e308, 0.1, -1];

/** A value just outside the limits of the schema. */
const beyond = ({ schema, value }: Site, pick: number): unknown => {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, items } = schema;
  const options = [
    minimum !== undefined && minimum - 1,
    maximum !== undefined && maximum + 1,
    minLength !== undefined && "a".repeat(minLength - 1),
    maxLength !== undefined && "a".repeat(maxLength + 1),
    minItems !== undefined && [],
    maxItems !== undefined && Array(maxItems + 1).fill(at(items?.enum ?? ["a"], pick)),
  ].filter((option) => option !== false);
  if (options.length > 0) return at(options, pick);
  return typeof value === "number" ? value + 1 : [value, value];
};

const poison = { polluted: true, prototype: { polluted: true } };

/** Fields that a request must not be able to set. */
const strangeFields: Record<string, unknown>[] = [
  ...["id", "role", "status", "version", "extra"].map((name) => ({ [name]: "owner" })),
  { ["__proto__"]: poison },
  { constructor: poison },
];

const otherValue = fc.oneof(
  naughtyText,
  fc.constantFrom<unknown>(0, -1, 1.5, 2 ** 31, 2 ** 53, 1e308, true, false, null, [], {}, [[]]),
);

type Mutation = { kind: Kind; where: number; pick: number; value: unknown; text: string };
type Change = (site: Site, mutation: Mutation) => unknown;

const mutations = {
  drop: ({ path }) => (path.length > 0 ? undefined : null),
  retype: (_site, { value }) => value,
  wrap: ({ value }) => [value],
  beyond: (site, { pick }) => beyond(site, pick),
  huge: (_site, { pick }) => at(huge, pick),
  naughty: (_site, { text }) => text,
  null: () => null,
  extra: ({ value }, { pick }) => {
    const field = at(strangeFields, pick);
    return isObject(value) ? { ...value, ...field } : [value, field];
  },
} satisfies Record<string, Change>;
type Kind = keyof typeof mutations;

const kinds = Object.keys(mutations) as Kind[];

const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom(...kinds),
  where: fc.nat({ max: 1000 }),
  pick: fc.nat({ max: 1000 }),
  value: otherValue,
  text: naughtyText,
});

/** Extra fields apply only to objects, and the root can't be removed. */
const fits = ({ path, value }: Site, kind: Kind) => {
  if (kind === "extra") return isObject(value);
  return path.length > 0 || kind !== "drop";
};

const mutate = (document: Document, schema: Schema, value: unknown, one: Mutation) => {
  const sites = sitesOf(document, value, schema);
  const fitting = sites.filter((site) => fits(site, one.kind));
  const site = at(fitting.length > 0 ? fitting : sites, one.where);
  const change: Change = mutations[one.kind];
  return site ? changeAt(value, site.path, () => change(site, one)) : value;
};

/** A valid value with one to three mutations. */
export const mutated = (document: Document, schema: Schema, valid: fc.Arbitrary<unknown>) =>
  fc
    .tuple(
      valid,
      // A single mutation passes the most checks.
      fc.oneof(
        { weight: 3, arbitrary: fc.tuple(mutation) },
        { weight: 1, arbitrary: fc.array(mutation, { minLength: 2, maxLength: 3 }) },
      ),
    )
    .map(([value, changes]) =>
      changes.reduce((changed, one) => mutate(document, schema, changed, one), value),
    );
