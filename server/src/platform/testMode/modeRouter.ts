import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerOptions,
} from "node:http";
import { isAnsweredByLive } from "@purser/contract/testMode/paths";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Config } from "../../config.ts";
import { bearerOf } from "../auth/bearer.ts";
import { isServiceKey } from "../auth/serviceKeys.ts";
import { apiVersion, below, placesOf } from "../http/publicUrls.ts";
import { sessionInLive } from "./sessions.ts";

const pathOf = (url: string) => {
  const path = url.split("?")[0] ?? "";
  return below(path, apiVersion) ?? path;
};

/** Why test mode doesn't answer. The log has the reason. */
const details = {
  unavailable: "Test mode isn't available at the moment. Try again later.",
  misconfigured: "Test mode isn't set up correctly. The log of the server says why.",
};
type Refusal = keyof typeof details;

const refusalOf = (refusal: Refusal): RequestListener => {
  const body = JSON.stringify({
    type: "urn:purser:problem:unavailable",
    title: "Service unavailable",
    status: 503,
    detail: details[refusal],
  });
  return (_request, response) =>
    response
      .writeHead(503, { "content-type": "application/problem+json", "retry-after": "30" })
      .end(body);
};

type Options = {
  http?: ServerOptions;
  keepAliveTimeout?: number;
  requestTimeout?: number;
  maxRequestsPerSocket?: number;
};

/** Each mode has its own service accounts, so also what both modes share is read where the key is known. */
const hasServiceKey = ({ headers: { authorization = "" } }: IncomingMessage) =>
  isServiceKey(bearerOf({ headers: { authorization } }) ?? "");

/** The request as live would have it, whose clock isn't moved. */
const inLive = (request: FastifyRequest, now: Date): FastifyRequest =>
  Object.create(request, {
    now: { value: now },
    session: { value: request.session && sessionInLive(request.session) },
  });

/** One port for both modes: the URL decides which product answers. */
export const openModeRouter = (config: Config, testConfig: Config) => {
  const live = placesOf(config);
  const test = placesOf(testConfig);
  // Programs such as the SDK add `/api` to the URL of the dashboard, which is the one of test mode for them.
  const apiBelowDashboard = `${test.basePath}/api`;
  let state: "ok" | Refusal = "unavailable";
  let answerTest = refusalOf(state);

  const listenerOf =
    (answerLive: RequestListener): RequestListener =>
    (request, response) => {
      const { url = "/", method = "GET" } = request;
      const added = below(url, apiBelowDashboard);
      if (added !== null) request.url = `${test.apiBaseUrl}${added}`;
      const api = added ?? below(url, test.apiBaseUrl);
      if (api !== null && isAnsweredByLive(method, pathOf(api)) && !hasServiceKey(request)) {
        request.url = `${live.apiBaseUrl}${api}`;
        return answerLive(request, response);
      }
      if (api !== null || below(url, test.basePath) !== null) return answerTest(request, response);
      return answerLive(request, response);
    };

  return {
    state: () => state,
    /** Until test mode is open. */
    refuse: (refusal: Refusal) => {
      state = refusal;
      answerTest = refusalOf(refusal);
    },
    /** Like the server that the framework creates, with its settings. */
    serverFactory: (answerLive: RequestListener, options: Options) => {
      const server = createServer(options.http ?? {}, listenerOf(answerLive));
      const { keepAliveTimeout, requestTimeout, maxRequestsPerSocket } = options;
      if (keepAliveTimeout !== undefined) server.keepAliveTimeout = keepAliveTimeout;
      if (requestTimeout !== undefined) server.requestTimeout = requestTimeout;
      if (maxRequestsPerSocket !== undefined) server.maxRequestsPerSocket = maxRequestsPerSocket;
      return server;
    },
    /** Pages of test mode read what both modes share from live. */
    attach: (testApp: FastifyInstance, liveApp: FastifyInstance) => {
      for (const [path, read] of liveApp.reads)
        if (isAnsweredByLive("GET", path))
          testApp.reads.set(path, {
            ...read,
            answer: ({ request, ...exchange }) =>
              read.answer({ ...exchange, request: inLive(request, liveApp.platform.now()) }),
          });
      answerTest = testApp.routing as RequestListener;
      state = "ok";
    },
  };
};
export type ModeRouter = ReturnType<typeof openModeRouter>;
