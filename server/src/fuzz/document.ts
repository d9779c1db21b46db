/** The part of JSON Schema that our OpenAPI document uses. */
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
  propertyNames?: Schema;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
};

type Content = Record<string, { schema: Schema }>;

export type Parameter = { name: string; in: string; required: boolean; schema: Schema };

export const methods = {
  get: "GET",
  post: "POST",
  put: "PUT",
  patch: "PATCH",
  delete: "DELETE",
} as const;

export type Operation = {
  operationId: string;
  security: Record<string, unknown>[];
  parameters: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
};

/** The part of an OpenAPI 3.1 document that the fuzzer reads. */
export type Document = {
  servers: { url: string }[];
  paths: Record<string, Partial<Record<keyof typeof methods, Operation>>>;
  components: { schemas: Record<string, Schema> };
};

/** The document as a client receives it, after a round trip through JSON. */
export const readDocument = (described: object): Document => JSON.parse(JSON.stringify(described));

export type Target = Operation & { method: keyof typeof methods; path: string };

export const operationsOf = ({ paths }: Document): Target[] =>
  Object.entries(paths).flatMap(([path, byMethod]) =>
    Object.entries(methods).flatMap(([name]) => {
      const method = name as keyof typeof methods;
      const operation = byMethod[method];
      return operation ? [{ ...operation, method, path }] : [];
    }),
  );

const prefix = "#/components/schemas/";

/** Resolves a reference. Other schemas are returned unchanged. */
export const resolveSchema = (document: Document, schema: Schema): Schema =>
  schema.$ref?.startsWith(prefix)
    ? (document.components.schemas[schema.$ref.slice(prefix.length)] ?? {})
    : schema;

export const bodySchemaOf = ({ requestBody }: Operation) =>
  requestBody?.content["application/json"]?.schema;

export const parametersIn = ({ parameters }: Operation, place: "path" | "query" | "header") =>
  parameters.filter((parameter) => parameter.in === place);
