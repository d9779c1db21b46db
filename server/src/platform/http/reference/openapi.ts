import { customerTokenHeader } from "@purser/contract/entitlements/customerTokens";
import {
  type Endpoint,
  isForServiceAccounts,
  isKeyed,
  refusalsOf,
  successOf,
} from "@purser/contract/http/endpoint";
import { problem, problems } from "@purser/contract/http/problem";
import { z } from "zod";
import { documentTypes, fileTypes } from "#platform/lists/cells.ts";

type JsonSchema = Record<string, unknown>;

/** Named schemas of a document, which are listed once, in `components`. */
type Components = Record<string, JsonSchema>;

const toComponents = (schema: JsonSchema) =>
  JSON.parse(
    JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'),
  ) as JsonSchema;

// Requests and replies are described as JSON: the input side of every codec.
export const schemaOf = (schema: z.ZodType, components: Components): JsonSchema => {
  const { $schema, $defs, ...rest } = z.toJSONSchema(schema, {
    io: "input",
    target: "draft-2020-12",
    unrepresentable: "any",
    override: ({ jsonSchema }) => {
      // The library's long patterns for ids and times only repeat `format`.
      if (jsonSchema.format === "uuid" || jsonSchema.format === "date-time")
        delete jsonSchema.pattern;
    },
  }) as JsonSchema & { $defs?: Record<string, JsonSchema> };
  for (const [name, { id, ...named }] of Object.entries($defs ?? {}))
    components[name] = toComponents(named);
  return toComponents(rest);
};

const parametersOf = (
  { params, query, versioned, publishable, ...endpoint }: Endpoint,
  components: Components,
) => {
  const from = (schema: z.ZodObject | undefined, place: "path" | "query") => {
    if (!schema) return [];
    const { properties = {}, required = [] } = schemaOf(schema, components) as {
      properties?: Record<string, JsonSchema>;
      required?: string[];
    };
    return Object.entries(properties).map(([name, { description, ...property }]) => ({
      name,
      in: place,
      required: place === "path" || required.includes(name),
      ...(description ? { description } : {}),
      schema: property,
    }));
  };
  const header = (name: string, description: string, schema: JsonSchema) => ({
    name,
    in: "header",
    required: true,
    description,
    schema,
  });
  return [
    ...from(params, "path"),
    ...from(query, "query"),
    ...(versioned
      ? [
          header("If-Match", "The ETag of the record, from the last reply", {
            type: "string",
            pattern: '^"[1-9][0-9]{0,8}"$',
          }),
        ]
      : []),
    ...(publishable
      ? [
          {
            ...header(
              customerTokenHeader,
              "Names the customer. Checks with a publishable key require it.",
              {
                type: "string",
              },
            ),
            required: false,
          },
        ]
      : []),
    ...(isKeyed(endpoint as Endpoint)
      ? [
          header(
            "Idempotency-Key",
            "A unique key for each operation. Repeating a request with the same key returns the first reply.",
            {
              type: "string",
              pattern: "^[\\x21-\\x7e]{8,255}$",
            },
          ),
        ]
      : []),
  ];
};

const problemsOf = (endpoint: Endpoint) => {
  const byStatus = Object.groupBy(refusalsOf(endpoint), (code) => problems[code][0]);
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, codes = []]) => [
      status,
      {
        description: codes.map((code) => `\`${code}\`: ${problems[code][1]}.`).join(" "),
        content: {
          "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } },
        },
      },
    ]),
  );
};

const allFileTypes: Record<string, string> = { ...fileTypes, ...documentTypes };

/** A file is available in each of its formats. */
const fileContent = ({ query }: Endpoint, components: Components) => {
  const { properties = {} } = query ? schemaOf(query, components) : {};
  const { format } = properties as { format?: { enum?: string[] } };
  return Object.fromEntries(
    (format?.enum ?? []).map((name) => [
      allFileTypes[name]?.split(";")[0] ?? "",
      // The content of the file has its own description, so here it is only text.
      { schema: name === "json" ? {} : { type: "string" } },
    ]),
  );
};

const successResponse = (endpoint: Endpoint, components: Components) => {
  const { reply, stream, file, summary } = endpoint;
  if (!reply) return { description: summary };
  if (file) return { description: summary, content: fileContent(endpoint, components) };
  const type = stream ? "text/event-stream" : "application/json";
  return { description: summary, content: { [type]: { schema: schemaOf(reply, components) } } };
};

const securityOf = (endpoint: Endpoint): Record<string, string[]>[] => {
  const { permission, keyScope } = endpoint;
  if (permission === "anyone" || permission === "provider") return [];
  if (permission === "app key") return [{ appKey: [] }];
  return [
    { session: [] },
    ...(isForServiceAccounts(endpoint) ? [{ serviceKey: [] }] : []),
    ...(keyScope ? [{ appKey: [] }] : []),
  ];
};

const operationOf = (name: string, endpoint: Endpoint, components: Components) => ({
  operationId: name,
  summary: endpoint.summary,
  tags: [endpoint.path.split("/")[1]],
  "x-permission": endpoint.permission,
  security: securityOf(endpoint),
  parameters: parametersOf(endpoint, components),
  ...(endpoint.body
    ? {
        requestBody: {
          required: true,
          content: { "application/json": { schema: schemaOf(endpoint.body, components) } },
        },
      }
    : {}),
  responses: {
    [successOf(endpoint)]: successResponse(endpoint, components),
    ...problemsOf(endpoint),
  },
});

/** The OpenAPI 3.1 document of the endpoint table. */
export const describeApi = (endpoints: Readonly<Record<string, Endpoint>>, base = "/api") => {
  const components: Components = {};
  schemaOf(z.object({ problem }), components);
  const paths: Record<string, Record<string, ReturnType<typeof operationOf>>> = {};
  for (const [name, endpoint] of Object.entries(endpoints)) {
    const path = endpoint.path.replace(/:(\w+)/g, "{$1}");
    paths[path] = {
      ...paths[path],
      [endpoint.method.toLowerCase()]: operationOf(name, endpoint, components),
    };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Purser",
      version: "1",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: base }],
    paths,
    components: {
      schemas: components,
      securitySchemes: {
        session: { type: "apiKey", in: "cookie", name: "__Host-purser" },
        serviceKey: { type: "http", scheme: "bearer" },
        appKey: { type: "http", scheme: "bearer" },
      },
    },
  };
};
export type ApiDocument = ReturnType<typeof describeApi>;
