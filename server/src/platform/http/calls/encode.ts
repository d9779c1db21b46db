import { z } from "zod";
import { textOfMoment } from "#platform/moments.ts";

type Encode = (value: unknown) => unknown;

const itself: Encode = (value) => value;

const objectEncoder = (shape: Record<string, z.ZodType>): Encode => {
  const fields = Object.entries(shape).map(([name, schema]) => ({
    name,
    encode: encoderOf(schema),
    isRequired: schema._zod.optout !== "optional",
  }));
  return (value) => {
    const from = value as Record<string, unknown>;
    const to: Record<string, unknown> = {};
    for (const { name, encode, isRequired } of fields) {
      const field = from[name];
      if (field !== undefined) to[name] = encode(field);
      else if (isRequired) throw new Error(`The reply has no ${name}.`);
    }
    return to;
  };
};

const arrayEncoder = (element: Encode): Encode =>
  element === itself ? itself : (value) => (value as unknown[]).map(element);

const nullableEncoder = (inner: Encode): Encode =>
  inner === itself ? itself : (value) => (value === null ? null : inner(value));

/** If every option is sent unchanged, it doesn't matter which one the value is. */
const unionEncoder = (schema: z.ZodUnion): Encode =>
  schema.options.every((option) => encoderOf(option as z.ZodType) === itself)
    ? itself
    : (value) => z.encode(schema, value);

const asIs = new Set(["string", "number", "int", "boolean", "enum", "literal", "unknown"]);

/**
 * Encodes replies with a plan that is made once per schema: only the declared fields, and dates as text. A missing
 * required field is an error. Values aren't validated, because that would cost more than the rest of a request;
 * types and the fuzzer check them. Zod encodes what the plan doesn't cover.
 */
export const encoderOf = (schema: z.ZodType): Encode => {
  if (schema instanceof z.ZodObject)
    return objectEncoder(schema.shape as Record<string, z.ZodType>);
  if (schema instanceof z.ZodArray) return arrayEncoder(encoderOf(schema.element as z.ZodType));
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional)
    return nullableEncoder(encoderOf(schema.unwrap() as z.ZodType));
  if (schema instanceof z.ZodCodec && schema.out instanceof z.ZodDate)
    return (value) => textOfMoment(value as Date);
  if (schema instanceof z.ZodUnion) return unionEncoder(schema);
  return asIs.has(schema.type) ? itself : (value) => z.encode(schema, value);
};
