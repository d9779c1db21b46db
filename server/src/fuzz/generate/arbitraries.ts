import fc from "fast-check";
import { type Document, resolveSchema, type Schema } from "../document.ts";
import { known } from "./known.ts";
import {
  formats,
  matchingText,
  naughtyText,
  nearlyMatchingText,
  readableText,
  wildText,
} from "./strings.ts";

/**
 * How a value is generated: `tame` like a normal client, so that handlers are reached, `wild` at the limits of the
 * schema in every field, and `spiced` tame except for one field.
 */
type Mood = "tame" | "wild" | "spiced";

const deepest = 4;

const stringOf = (schema: Schema, mood: Mood) => {
  const { pattern } = schema;
  const format = formats[schema.format ?? ""];
  if (mood === "tame")
    return format?.tame ?? (pattern ? matchingText(pattern, schema) : readableText(schema));
  const wild = pattern ? nearlyMatchingText(pattern, schema) : wildText(schema);
  return format ? fc.oneof({ weight: 3, arbitrary: format.wild }, wild) : wild;
};

const safeMax = Number.MAX_SAFE_INTEGER;
const integerEdges = [0, 1, -1, 2 ** 31 - 1, 2 ** 31, -(2 ** 31) - 1, 2 ** 32, safeMax, -safeMax];

const numberOf = ({ type, minimum = -safeMax, maximum = safeMax }: Schema, mood: Mood) => {
  const [min, max] =
    mood === "tame" ? [Math.max(minimum, 0), Math.min(maximum, 1000)] : [minimum, maximum];
  if (mood === "tame" && min <= max) return fc.integer({ min, max });
  const edges = [minimum, minimum + 1, maximum - 1, maximum, ...integerEdges].filter(
    (edge) => edge >= minimum && edge <= maximum,
  );
  const inside =
    type === "number"
      ? fc.double({ min: minimum, max: maximum, noNaN: true })
      : fc.integer({ min: minimum, max: maximum });
  return fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...edges) }, inside);
};

/** Any JSON value. */
const anyJson: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  naughtyText,
  fc.constantFrom(...integerEdges),
);

const arrayOf = (items: fc.Arbitrary<unknown>, schema: Schema) => {
  const { minItems = 0, maxItems = 5, uniqueItems = false } = schema;
  const bounds = { minLength: minItems, maxLength: Math.min(maxItems, minItems + 20) };
  return uniqueItems
    ? fc.uniqueArray(items, { ...bounds, comparator: "SameValue" })
    : fc.array(items, bounds);
};

/** Sometimes uses a string that the server returned earlier or that is valid for this caller. */
const withKnown = (name: string, schema: Schema, tame: fc.Arbitrary<unknown>) => {
  if (schema.type !== "string" || schema.enum || schema.const !== undefined) return tame;
  const weight = schema.pattern || schema.format ? 2 : 1;
  return fc.oneof(
    { weight: 2, arbitrary: tame },
    { weight, arbitrary: known(name, stringOf(schema, "tame")) },
  );
};

/** Wild values are never null, because null would replace a more interesting value. */
const worthTrying = (options: Schema[], mood: Mood) => {
  const others = options.filter(({ type }) => type !== "null");
  return mood === "tame" || others.length === 0 ? options : others;
};

type Fields = Record<string, fc.Arbitrary<unknown>>;

const otherNames = ["id", "type", "clientDataJSON", "attestationObject", "signature"];

/** Arbitraries for the schemas of a document. */
export const arbitrariesOf = (document: Document) => {
  const recordOf = ({ properties = {}, required = [] }: Schema, mood: Mood, depth: number) => {
    const fieldsIn = (inner: Mood): Fields =>
      Object.fromEntries(
        Object.entries(properties).map(([name, given]) => {
          const schema = resolveSchema(document, given);
          const value = ofSchema(schema, inner, depth + 1);
          return [name, inner === "tame" ? withKnown(name, schema, value) : value];
        }),
      );
    const names = Object.keys(properties);
    if (mood !== "spiced" || names.length === 0)
      return fc.record(fieldsIn(mood), { requiredKeys: required });
    const tame = fieldsIn("tame");
    const spiced = fieldsIn("spiced");
    return fc.oneof(
      ...names.map((name) =>
        fc.record(
          { ...tame, [name]: spiced[name] ?? anyJson },
          { requiredKeys: [...required, name] },
        ),
      ),
    );
  };

  const objectOf = (schema: Schema, mood: Mood, depth: number): fc.Arbitrary<unknown> => {
    const { additionalProperties, propertyNames = {} } = schema;
    const declared = recordOf(schema, mood, depth);
    if (typeof additionalProperties !== "object") return declared;
    const names = mood === "tame" ? fc.constantFrom(...otherNames) : wildText(propertyNames);
    const others = fc.dictionary(names, ofSchema(additionalProperties, mood, depth + 1), {
      maxKeys: 4,
    });
    return fc.tuple(others, declared).map(([more, own]) => ({ ...more, ...own }));
  };

  const byType: Record<
    string,
    (schema: Schema, mood: Mood, depth: number) => fc.Arbitrary<unknown>
  > = {
    string: stringOf,
    integer: numberOf,
    number: numberOf,
    boolean: () => fc.boolean(),
    null: () => fc.constant(null),
    array: (schema, mood, depth) => arrayOf(ofSchema(schema.items ?? {}, mood, depth + 1), schema),
    object: objectOf,
  };

  const ofSchema = (given: Schema, mood: Mood, depth = 0): fc.Arbitrary<unknown> => {
    const schema = resolveSchema(document, given);
    if (schema.const !== undefined) return fc.constant(schema.const);
    if (schema.enum) return fc.constantFrom(...schema.enum);
    const options = schema.anyOf ?? schema.oneOf;
    if (options)
      return fc.oneof(...worthTrying(options, mood).map((one) => ofSchema(one, mood, depth)));
    if (Array.isArray(schema.type))
      return fc.oneof(...schema.type.map((type) => ofSchema({ ...schema, type }, mood, depth)));
    const make = depth > deepest ? undefined : byType[schema.type ?? ""];
    return make ? make(schema, mood, depth) : anyJson;
  };

  return { ofSchema };
};
