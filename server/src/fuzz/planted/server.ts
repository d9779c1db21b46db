import {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
} from "fastify";
import type pg from "pg";
import type { Document, Operation, Parameter, Schema } from "../document.ts";
import { methods } from "../document.ts";
import type { fuzz } from "../fuzz.ts";
import type { Sent } from "../generate/requests.ts";
import type { Oracle } from "../oracles.ts";

type Input = Record<string, string>;

export type Tools = {
  request: FastifyRequest;
  reply: FastifyReply;
  pool: pg.Pool;
  /** The body and the query as received. */
  body: Input;
  query: Input;
  params: Input;
  headers: Input;
  /** Advances the fuzzer's clock. */
  pass: (milliseconds: number) => void;
};

/** One operation of a correct or a faulty server. */
export type Served = {
  name: string;
  method?: keyof typeof methods;
  path?: string;
  parameters?: Parameter[];
  body?: Schema;
  /** What the server checks, if it differs from the document. */
  checked?: Schema | null;
  reply?: Schema;
  status?: number;
  /** Whether invalid UTF-8 becomes U+FFFD, as in a faulty server. */
  decodesLoosely?: true;
  /** Whether the content type is ignored. */
  takesAnyType?: true;
  handle: (tools: Tools) => unknown;
};

/** A bug in one operation, and the oracle that must find it. */
export type Plant = Served & { oracle: Oracle };

const problem: Schema = {
  type: "object",
  properties: {
    status: { type: "integer" },
    detail: { type: "string" },
    requestId: { type: "string" },
  },
  required: ["status", "detail", "requestId"],
};

export const strict = (properties: Record<string, Schema>, required = Object.keys(properties)) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});

const successOf = ({ reply, status }: Served) => status ?? (reply ? 200 : 204);

const operationOf = (plant: Served): Operation => {
  const { parameters = [], body, reply } = plant;
  const refusal = { content: { "application/problem+json": { schema: problem } } };
  const refusals = Object.fromEntries(
    [400, 404, 412, 413, 415, 500].map((status) => [status, refusal]),
  );
  return {
    operationId: "planted",
    security: [],
    parameters,
    ...(body && { requestBody: { content: { "application/json": { schema: body } } } }),
    responses: {
      [successOf(plant)]: reply ? { content: { "application/json": { schema: reply } } } : {},
      ...refusals,
    },
  };
};

/** An OpenAPI document with the one operation, shaped like the product's. */
const documentOf = (plant: Served): Document => ({
  servers: [{ url: "" }],
  paths: { [plant.path ?? "/planted"]: { [plant.method ?? "post"]: operationOf(plant) } },
  components: { schemas: {} },
});

export class Refusal extends Error {
  readonly statusCode: number;

  constructor(statusCode: number) {
    super("refused");
    this.statusCode = statusCode;
  }
}

const createApp = () => {
  const app = fastify({
    bodyLimit: 64 * 1024,
    onProtoPoisoning: "ignore",
    onConstructorPoisoning: "ignore",
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false } },
    frameworkErrors: (_error, request, reply) => sendProblem(request, reply, 400),
  });
  app.addHook("onRequest", async (request, reply) => {
    reply.header("x-request-id", request.id);
  });
  app.setErrorHandler((error: FastifyError, request, reply) =>
    sendProblem(request, reply, error.statusCode ?? 500),
  );
  app.setNotFoundHandler((request, reply) => sendProblem(request, reply, 404));
  return app;
};

const sendProblem = (request: FastifyRequest, reply: FastifyReply, status: number) =>
  reply
    .code(status)
    .header("x-request-id", request.id)
    .type("application/problem+json")
    .send(JSON.stringify({ status, detail: "refused", requestId: request.id }));

/** Parses JSON correctly except for the plant's bug. */
const readJson = (app: FastifyInstance, { decodesLoosely, takesAnyType }: Served) => {
  const decoder = new TextDecoder("utf-8", { fatal: !decodesLoosely, ignoreBOM: true });
  const parse = (_request: FastifyRequest, bytes: Buffer) => {
    try {
      return JSON.parse(decoder.decode(bytes));
    } catch {
      throw new Refusal(400);
    }
  };
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    takesAnyType ? "*" : "application/json",
    { parseAs: "buffer" },
    async (request: FastifyRequest, bytes: Buffer) => parse(request, bytes),
  );
};

/** A small server with the bug in its one operation. */
export const plantIn = (pool: pg.Pool, plant: Served) => {
  const { method = "post", path = "/planted", body, checked = body, handle } = plant;
  let now = 0;
  const app = createApp();
  readJson(app, plant);
  app.route({
    method: methods[method],
    url: path.replaceAll(/\{(\w+)\}/g, ":$1"),
    ...(checked && { schema: { body: checked } }),
    handler: async (request, reply) => {
      const { query, params, headers, body: given } = request;
      const parts = { query, params, headers, body: given } as Pick<
        Tools,
        "query" | "params" | "headers" | "body"
      >;
      const pass = (milliseconds: number) => {
        now += milliseconds;
      };
      const answer = await handle({ request, reply, pool, pass, ...parts });
      if (reply.sent) return reply;
      return reply.code(successOf(plant)).send(answer);
    },
  });
  const send = async (sent: Sent) => {
    const { statusCode, headers, body: text } = await app.inject(sent);
    return { status: statusCode, headers, body: text };
  };
  const options = {
    document: documentOf(plant),
    send,
    renew: async () => ({
      credentials: {},
      values: {},
      records: { "/things/{id}": [{ params: { id: "1" }, version: 1 }] },
    }),
    origin: "http://localhost",
    clock: () => now,
    hangMs: 1500,
  } satisfies Partial<Parameters<typeof fuzz>[0]>;
  return { app, options };
};
