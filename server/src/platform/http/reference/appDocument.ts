import { customerTokenHeader } from "@purser/contract/entitlements/customerTokens";
import type { Endpoint } from "@purser/contract/http/endpoint";
import { webhookEvents } from "@purser/contract/workspace/webhookEvents";
import { annotate, exampleOf, parameterTexts, type Schema, type Schemas } from "./annotate.ts";
import { appOperations, appTags } from "./appOperations.ts";
import { ofrepPaths } from "./ofrepPaths.ts";
import { type ApiDocument, describeApi, schemaOf } from "./openapi.ts";

type Described = ApiDocument["paths"][string][string];
type Content = Record<string, { schema: unknown; example?: unknown }>;

const introduction = `The API for sold apps and for your own backends. All endpoints of the dashboard are in another document.

- **Apps** use an API key of the app (\`purser_sk_…\`). Browsers use a publishable key (\`purser_pk_…\`) with a customer token.
- **Backends** use the key of a service account (\`purser_sa_…\`), with the permissions of its role.
- Keys of test mode start with \`purser_sk_test_\`, \`purser_pk_test_\` or \`purser_sa_test_\`, and work below \`/api/test\` only.
- Bodies and replies are JSON. Times are ISO 8601 in UTC. Amounts are whole numbers of the currency's smallest unit.
- New endpoints, fields and values can be added at any time. Ignore fields that you don't know.`;

const securitySchemes = {
  appKey: {
    type: "http",
    scheme: "bearer",
    description: "A server key of an app, or in browsers a publishable key with a customer token.",
  },
  serviceKey: {
    type: "http",
    scheme: "bearer",
    description: "The key of a service account. It only works on servers.",
  },
};

/** Adds examples to bodies and replies. Problems have theirs in their schema. */
const withExamples = (schemas: Schemas, content: Content, name: string) => {
  for (const [type, media] of Object.entries(content)) {
    const schema = media.schema as Schema;
    annotate(schemas, schema, name);
    if (type === "application/json") media.example = exampleOf(schemas, schema);
    else if (type === "text/event-stream")
      media.example = `event: changes\ndata: ${JSON.stringify(exampleOf(schemas, schema))}\n\n`;
    else if (type === "application/pdf") media.example = "%PDF-1.7";
  }
};

const operationFor = (schemas: Schemas, described: Described) => {
  const { operationId, security, parameters, requestBody, responses } = described;
  const { tag = "", description = "" } = appOperations[operationId] ?? {};
  if (requestBody) withExamples(schemas, requestBody.content, operationId);
  for (const { content = {} } of Object.values<{ content?: Content }>(responses))
    withExamples(schemas, content, operationId);
  return {
    ...described,
    tags: [tag],
    description,
    security: security.filter((scheme) => !("session" in scheme)),
    parameters: parameters.map((parameter) => ({
      ...parameter,
      // With a publishable key only, which the description says.
      required: parameter.required && parameter.name !== customerTokenHeader,
      ...parameterTexts(schemas, parameter.schema as Schema, {
        operation: operationId,
        name: parameter.name,
      }),
    })),
  };
};

const headers = [
  ["webhook-id", "The ID of the event, the same for every attempt.", "01a1dd06-5e3a-7c41"],
  ["webhook-timestamp", "The time of the attempt in seconds since 1970.", "1772355600"],
  [
    "webhook-signature",
    "One or more signatures, separated by spaces.",
    "v1,K5oZfzN95Z9UVu1EsfQmfV",
  ],
] as const;

const purposes: Record<keyof typeof webhookEvents, string> = {
  "entitlements.changed": "A grant was created, shortened or revoked, or its app was suspended",
  "subscription.changed": "A subscription started, renewed, changed, was paused or ended",
  "transaction.changed": "A transaction was recorded, settled, failed, refunded or charged back",
  test: "A team member sent a test event",
};

const webhookOf = (schemas: Schemas, type: keyof typeof webhookEvents) => {
  const schema = schemaOf(webhookEvents[type], schemas as Record<string, Record<string, unknown>>);
  return {
    post: {
      operationId: `on ${type}`.replace(/[ .](\w)/g, (_, letter: string) => letter.toUpperCase()),
      summary: purposes[type],
      description:
        "Signed according to Standard Webhooks. Respond with 2xx within 5 seconds. Events of a customer arrive in order, at least once.",
      tags: ["Webhooks"],
      security: [],
      parameters: headers.map(([name, description, example]) => ({
        name,
        in: "header",
        required: true,
        description,
        example,
        schema: { type: "string" },
      })),
      requestBody: { required: true, content: { "application/json": { schema } } },
      responses: { "2XX": { description: "The event was received." } },
    },
  };
};

/** The OpenAPI document for sold apps and backends, with a description and an example of everything in it. */
export const describeAppApi = (
  endpoints: Readonly<Record<string, Endpoint>>,
  { apiBase, root }: { apiBase: string; root: string },
) => {
  const chosen = Object.keys(appOperations).map((name) => {
    const endpoint = endpoints[name];
    if (!endpoint) throw new Error(`There is no endpoint ${name}.`);
    return [name, endpoint] as const;
  });
  const described = describeApi(Object.fromEntries(chosen), `${apiBase}/v1`);
  const schemas = described.components.schemas as Schemas;
  const types = Object.keys(webhookEvents) as (keyof typeof webhookEvents)[];
  const webhooks = Object.fromEntries(types.map((type) => [type, webhookOf(schemas, type)]));
  for (const [name, schema] of Object.entries(schemas)) annotate(schemas, schema, name);
  for (const [name, schema] of Object.entries(schemas)) {
    schema.description ??= schemaTexts[name] ?? "";
    if (name === "Value") schema.examples ??= [10];
    schema.examples ??= [exampleOf(schemas, schema)];
  }
  for (const { post } of Object.values(webhooks))
    withExamples(schemas, post.requestBody.content, post.operationId);
  const paths = Object.entries(described.paths).map(([path, methods]) => [
    path,
    Object.fromEntries(
      Object.entries(methods).map(([method, one]) => [method, operationFor(schemas, one)]),
    ),
  ]);
  return {
    ...described,
    info: { ...described.info, title: "Purser API for apps", description: introduction },
    servers: [{ url: `${apiBase}/v1`, description: "This workspace." }],
    tags: [
      ...Object.entries(appTags).map(([name, description]) => ({ name, description })),
      { name: "Webhooks", description: "Requests that Purser sends to your systems." },
    ],
    paths: { ...Object.fromEntries(paths), ...ofrepPaths(root) },
    webhooks,
    components: { schemas, securitySchemes },
  };
};

const schemaTexts: Readonly<Record<string, string>> = {
  Snapshot: "The entitlements of a customer, signed.",
  EntitlementChanges: "Customers whose entitlements may have changed.",
  Problem: "Why a request was refused (RFC 9457).",
  Customer: "A customer.",
  CustomerRecord: "A customer with entitlements, subscriptions, balance and documents.",
  AnsweredQuestion:
    "Whether a customer can use a feature, and why. The kind is null if the app has no such feature.",
  CustomerEntitlement: "The answer for one feature of an app.",
  CustomerSubscription: "A subscription without its price.",
  CustomerDocument: "An invoice or a credit note.",
  Value: "What a customer has of a feature.",
  Check: "Whether a customer can use a feature, and why.",
  CustomerToken: "A token for a browser.",
  UsageEvent: "What a customer used.",
  RecordedUsage: "The result of each event, in the order of the request.",
  ConsumedUsage: "The check after counting, and what became of the event.",
  ReservedUsage: "The check and the reservation.",
  UsageReservation: "An amount that is reserved for a customer.",
  Quote: "A price and how it was calculated.",
  Message: "An explanation with its code and values.",
  Transaction: "A sale, renewal, change or refund.",
  Subscription: "A package that a customer pays for repeatedly, and until when it is paid.",
  EntitlementsChanged: "A grant changed.",
  SubscriptionChanged: "A subscription changed.",
  TransactionChanged: "A transaction changed.",
  TestEvent: "A test event.",
};
