import { propertyTexts } from "./propertyTexts.ts";

/** The part of JSON Schema that the document uses. */
export type Schema = {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  format?: string;
  default?: unknown;
  description?: string;
  examples?: unknown[];
};

export type Schemas = Record<string, Schema>;

const prefix = "#/components/schemas/";
const targetOf = ({ $ref = "" }: Schema) => $ref.slice(prefix.length);

const partsOf = ({ anyOf = [], oneOf = [] }: Schema) => [...anyOf, ...oneOf];

/** The text for a property: of this property of its parent, or of all properties with this name. */
const textOf = (parent: string, name: string) =>
  propertyTexts[`${parent}.${name}` as keyof typeof propertyTexts] ??
  propertyTexts[name as keyof typeof propertyTexts];

const typeOf = (value: unknown) => {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
};

const hasType = ({ type }: Schema, value: unknown) => {
  if (type === undefined) return true;
  const own = typeOf(value);
  return [type].flat().some((one) => one === own || (one === "number" && own === "integer"));
};

/** Whether an example can be the value of a schema, as far as types and fixed values tell. */
const fits = (schemas: Schemas, schema: Schema, value: unknown): boolean => {
  if (schema.$ref) return fits(schemas, schemas[targetOf(schema)] ?? {}, value);
  const parts = partsOf(schema);
  if (parts.length > 0) return parts.some((part) => fits(schemas, part, value));
  if (schema.const !== undefined) return schema.const === value;
  if (schema.enum) return schema.enum.includes(value);
  return hasType(schema, value);
};

/** A request names its customer in one of two properties. */
const isOther = ({ properties = {}, required = [] }: Schema, name: string) =>
  name === "email" && "user" in properties && !required.includes("email");

/** The example of a schema: its own, or one that is put together from its parts. */
export const exampleOf = (schemas: Schemas, schema: Schema): unknown => {
  if (schema.examples) return schema.examples[0];
  if (schema.$ref) return exampleOf(schemas, schemas[targetOf(schema)] ?? {});
  const [part] = partsOf(schema);
  if (part) return exampleOf(schemas, part);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.items) return [exampleOf(schemas, schema.items)];
  if (schema.properties)
    return Object.fromEntries(
      Object.entries(schema.properties)
        .filter(([name]) => !isOther(schema, name))
        .map(([name, one]) => [name, exampleOf(schemas, one)]),
    );
  return schema.default;
};

const isLeaf = (schema: Schema): boolean =>
  !schema.properties && !schema.items && !schema.$ref && partsOf(schema).every(isLeaf);

const annotateProperty = (
  schemas: Schemas,
  schema: Schema,
  place: { parent: string; name: string },
) => {
  const [description, example] = textOf(place.parent, place.name) ?? [];
  if (description) schema.description ??= description;
  if (example !== undefined && fits(schemas, schema, example)) schema.examples ??= [example];
  else if (isLeaf(schema) && (schema.enum ?? schema.const) !== undefined)
    schema.examples ??= [exampleOf(schemas, schema)];
  annotate(schemas, schema, place.name);
};

/** Adds descriptions and examples to the properties of a schema, which has a name of its own or that of its property. */
export const annotate = (schemas: Schemas, schema: Schema, name: string) => {
  for (const [property, one] of Object.entries(schema.properties ?? {}))
    annotateProperty(schemas, one, { parent: name, name: property });
  const within = [...partsOf(schema), schema.items, schema.additionalProperties];
  for (const part of within) if (part && typeof part === "object") annotate(schemas, part, name);
};

/** The description and example of a parameter. */
export const parameterTexts = (
  schemas: Schemas,
  schema: Schema,
  { operation, name }: { operation: string; name: string },
) => {
  const [description, example] = textOf(operation, name) ?? [];
  return {
    ...(description && { description }),
    example:
      example !== undefined && fits(schemas, schema, example)
        ? example
        : exampleOf(schemas, schema),
  };
};
