import fc from "fast-check";
import {
  bodySchemaOf,
  type Document,
  type Parameter,
  parametersIn,
  type Schema,
  type Target,
} from "../document.ts";
import { arbitrariesOf } from "./arbitraries.ts";
import { examples } from "./examples.ts";
import { type Known, known, tampered } from "./known.ts";
import { listGrammar } from "./lists.ts";
import { mutated } from "./mutations.ts";
import { asJson, type Body, oddBody, oddContentTypes, oddHeaders, oddSegment } from "./raw.ts";
import { oddRequiredHeaders } from "./requiredHeaders.ts";
import { lengthsAround } from "./strings.ts";

/** A request before placeholders are filled in. It depends only on the seed. */
export type Plan = {
  caller: "expected" | "anonymous" | "stranger";
  /** Which existing record is used in the path. Null uses `params` instead. */
  record: number | null;
  params: Record<string, unknown>;
  /** Replaces the last path parameter without encoding. */
  segment: string | null;
  query: [string, unknown][];
  /** Override the fuzzer's own headers. Null removes one. */
  headers: Record<string, string | Known | null>;
  body: Body | null;
  /** Whether the cursor is sent with its sort. */
  follows: boolean;
  /** How many copies are sent at the same time. */
  copies: 1 | 2;
};

const rarely = <T>(weight: number, arbitrary: fc.Arbitrary<T>, usually: T) =>
  fc.oneof({ weight: weight - 1, arbitrary: fc.constant(usually) }, { weight: 1, arbitrary });

const cursor = fc.oneof(
  { weight: 4, arbitrary: known("cursor", fc.constant("end")) },
  ...tampered.map((bend) => ({
    weight: 1,
    arbitrary: known("cursor", fc.constant("AAAAAAAAAAAAAAAAAAAAAAAA"), bend),
  })),
  { weight: 1, arbitrary: fc.constantFrom("end", "A", "A".repeat(1200), "A".repeat(1201)) },
);

type Query = Plan["query"];

const strangeQuery = fc.constantFrom<Query>(
  [["extra", "1"]],
  [["__proto__", "1"]],
  [["constructor", "1"]],
  [["a[b]", "c"]],
  [
    ["size", "1"],
    ["size", "2"],
  ],
  [
    ["sort", "name"],
    ["sort", "name"],
  ],
  Array.from({ length: 21 }, () => ["f", "name:is:a"]),
);

const wildNumber = ({ minimum = 0, maximum = 100 }: Parameter["schema"]) =>
  fc.constantFrom(...lengthsAround(minimum, maximum), -1, 1.5, 2 ** 31, 2 ** 53).map(String);

const queryOf = (document: Document, target: Target): fc.Arbitrary<Query> => {
  const { ofSchema } = arbitrariesOf(document);
  const parameters = parametersIn(target, "query");
  const isList = parameters.some(({ name }) => name === "f");
  const grammar: Record<string, fc.Arbitrary<unknown>> = {
    ...(isList && listGrammar(document, target)),
    after: cursor,
    before: cursor,
  };
  const entriesOf = ({ name, schema }: Parameter): fc.Arbitrary<Query> => {
    const value = fc.oneof(
      { weight: 6, arbitrary: grammar[name] ?? ofSchema(schema, "tame") },
      { weight: isList ? 0 : 3, arbitrary: ofSchema(schema, "tame") },
      {
        weight: 2,
        arbitrary: schema.type === "integer" ? wildNumber(schema) : ofSchema(schema, "wild"),
      },
    );
    return fc
      .oneof(
        { weight: 5, arbitrary: value.map((one) => [one]) },
        {
          weight: name === "f" ? 1 : 0,
          arbitrary: fc.array(value, { minLength: 2, maxLength: 3 }),
        },
      )
      .map((values) => values.flat().map((one) => [name, one]));
  };
  const entries = parameters.map(entriesOf);
  if (entries.length === 0) return rarely<Query>(15, strangeQuery, []);
  return fc.oneof<fc.MaybeWeightedArbitrary<Query>[]>(
    // A single parameter passes the most checks, and filters have the most variants.
    { weight: 8, arbitrary: fc.oneof(...entries) },
    ...parameters
      .filter(({ name }) => name === "f")
      .map((filters) => ({ weight: 8, arbitrary: entriesOf(filters) })),
    {
      weight: 4,
      arbitrary: fc
        .tuple(...entries.map((entry) => rarely(3, entry, [])))
        .map((chosen) => chosen.flat()),
    },
    { weight: 1, arbitrary: strangeQuery },
  );
};

const paramsOf = (document: Document, target: Target) => {
  const { ofSchema } = arbitrariesOf(document);
  return fc.record(
    Object.fromEntries(
      parametersIn(target, "path").map(({ name, schema }) => [
        name,
        fc.oneof(ofSchema(schema, "tame"), ofSchema(schema, "wild")),
      ]),
    ),
  );
};

const tameBodyOf = (document: Document, { operationId }: Target, schema: Schema) => {
  const tame = arbitrariesOf(document).ofSchema(schema, "tame");
  const example = examples[operationId];
  return example
    ? fc.oneof({ weight: 1, arbitrary: tame }, { weight: 2, arbitrary: example })
    : tame;
};

const bodyOf = (document: Document, target: Target, schema: Schema) => {
  const { ofSchema } = arbitrariesOf(document);
  return fc
    .oneof(
      { weight: 6, arbitrary: ofSchema(schema, "spiced") },
      { weight: 1, arbitrary: ofSchema(schema, "wild") },
      { weight: 7, arbitrary: mutated(document, schema, tameBodyOf(document, target, schema)) },
    )
    .map(asJson);
};

/** Valid requests. */
const friendly = (document: Document, target: Target): fc.Arbitrary<Plan> => {
  const schema = bodySchemaOf(target);
  const { ofSchema } = arbitrariesOf(document);
  return fc.record({
    caller: fc.constant("expected" as const),
    record: fc.nat({ max: 1000 }),
    params: paramsOf(document, target),
    segment: fc.constant(null),
    query: fc.tuple(
      ...parametersIn(target, "query")
        // A check needs the customer, unless a token names them.
        .filter(({ name, required }) => required || name === "user")
        .map(({ name, schema: of }) =>
          fc
            .oneof(ofSchema(of, "tame"), known(name, fc.constant("")))
            .map((value): [string, unknown] => [name, value]),
        ),
    ),
    headers: fc.constant({}),
    body: schema ? tameBodyOf(document, target, schema).map(asJson) : fc.constant(null),
    follows: fc.boolean(),
    copies: fc.constant(1),
  });
};

type Parts = fc.WeightedArbitrary<Partial<Plan>>[];

/** Valid or nearly valid values, if the operation has parameters. */
const oddValues = (document: Document, target: Target): Parts => {
  const schema = bodySchemaOf(target);
  const hasParams = parametersIn(target, "path").length > 0;
  const hasQuery = parametersIn(target, "query").length > 0;
  return [
    { weight: 2, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: fc.constant({ copies: 2 }) },
    { weight: 1, arbitrary: fc.constantFrom({ caller: "anonymous" }, { caller: "stranger" }) },
    { weight: hasParams ? 2 : 0, arbitrary: fc.constant({ record: null }) },
    ...oddRequiredHeaders(target).map((arbitrary) => ({ weight: 2, arbitrary })),
    { weight: hasQuery ? 14 : 1, arbitrary: queryOf(document, target).map((query) => ({ query })) },
    ...(schema
      ? [{ weight: 14, arbitrary: bodyOf(document, target, schema).map((body) => ({ body })) }]
      : []),
  ];
};

/** Invalid bytes, content types, headers and URLs. */
const oddEnvelopes = (document: Document, target: Target): Parts => {
  const schema = bodySchemaOf(target);
  const valid = schema ? tameBodyOf(document, target, schema) : fc.constant({});
  return [
    { weight: 3, arbitrary: oddBody(valid).map((body) => ({ body })) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(valid, fc.constantFrom(...oddContentTypes))
        .map(([json, type]) => ({ body: asJson(json), headers: { "content-type": type } })),
    },
    { weight: 2, arbitrary: oddHeaders.map((headers) => ({ headers })) },
    {
      weight: parametersIn(target, "path").length > 0 ? 2 : 0,
      arbitrary: oddSegment.map((segment) => ({ segment })),
    },
  ];
};

/**
 * Requests for one operation. Mostly only one part is invalid, because the first refusal hides later checks.
 * Sometimes two are.
 */
export const plansOf = (document: Document, target: Target): fc.Arbitrary<Plan> => {
  const odd = fc.oneof(
    { weight: 3, arbitrary: fc.oneof(...oddValues(document, target)) },
    { weight: 1, arbitrary: fc.oneof(...oddEnvelopes(document, target)) },
  );
  return fc
    .tuple(friendly(document, target), odd, rarely<Partial<Plan>>(8, odd, {}))
    .map(([plan, one, other]) => ({ ...plan, ...other, ...one }));
};
