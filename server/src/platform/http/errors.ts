import { type ProblemCode, problems } from "@purser/contract/http/problem";
import type { Message } from "@purser/contract/messages/message";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import pg from "pg";
import { connectionRefused } from "../db/limits.ts";
import { camelCase } from "../db/names.ts";
import { message } from "../messages.ts";
import { fieldError, Problem } from "./problem.ts";
import { triggerMessage } from "./triggerMessages.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The problem in the reply, for the log line. */
    problem: Problem | null;
  }
}

const ofFramework: Record<string, [ProblemCode, Message]> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    "unsupported_media_type",
    message("media_type_unsupported", "Send the body as application/json in UTF-8."),
  ],
  FST_ERR_CTP_BODY_TOO_LARGE: [
    "too_large",
    message("body_too_large", "The request body is too large."),
  ],
  FST_ERR_CTP_EMPTY_JSON_BODY: [
    "malformed",
    message("body_empty", "The request body is empty. Send a JSON object."),
  ],
  FST_ERR_CTP_INVALID_JSON_BODY: [
    "malformed",
    message("body_not_json", "The request body isn't valid JSON."),
  ],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    "malformed",
    message("content_length_wrong", "The request body doesn't match its Content-Length."),
  ],
  FST_ERR_BAD_URL: [
    "malformed",
    message("url_malformed", "The URL isn't valid. Check its percent-encoding."),
  ],
  FST_ERR_MAX_PARAM_LENGTH: [
    "malformed",
    message("url_too_long", "A part of the URL is too long."),
  ],
  FST_UNDER_PRESSURE: [
    "unavailable",
    message("server_busy", "The server is busy. Try again in a few seconds."),
  ],
};

// Codes of PostgreSQL when it is unreachable, restarting or waiting too long for a lock.
const passing = /^(08|53|55P03|57|40P01|40001|25P03)/;

/** During a failover or maintenance. */
const readOnly = "25006";

const isProblemCode = (code: string): code is ProblemCode => Object.hasOwn(problems, code);

/** The refusal of a trigger that raises with the constraint `problem_<code>__<reason>`. */
const ofTrigger = (constraint: string) => {
  const { code = "", reason = "" } =
    /^problem_(?<code>\w+)__(?<reason>\w+)$/.exec(constraint)?.groups ?? {};
  const detail = triggerMessage(reason);
  return isProblemCode(code) && detail ? new Problem(code, detail) : null;
};

const ofDatabase = (error: pg.DatabaseError): Problem | null => {
  const { code = "", constraint = "", table = "" } = error;
  const own = ofTrigger(constraint);
  if (own) return own;
  const field =
    new RegExp(`^${table}_(\\w+)_taken$`).exec(constraint)?.[1] ??
    /^[a-z_]+?_(?<field>[a-z_]+)_taken$/.exec(constraint)?.groups?.["field"];
  if (code === "23505" && field) return taken(camelCase(field));
  if (code === "23503")
    return new Problem(
      "in_use",
      message(
        "reference_broken",
        "This record is in use, or a linked record was deleted. Reload and try again.",
      ),
    );
  if (code === "23P01")
    return new Problem(
      "wrong_state",
      message(
        "period_overlaps",
        "The period overlaps with an existing record. Reload and try again.",
      ),
    );
  if (code === readOnly)
    return new Problem(
      "unavailable",
      message("database_read_only", "The database accepts no changes right now. Try again later."),
      { retryAfterSeconds: 10 },
    );
  if (passing.test(code))
    return new Problem(
      "unavailable",
      message("database_busy", "The database is busy. Try again in a few seconds."),
      {
        retryAfterSeconds: 2,
      },
    );
  return null;
};

/** The refusal of a unique index named `<table>_<field>_taken`, at that field. */
const taken = (field: string) => {
  const detail = message("value_taken", "This value is already in use. Choose another one.");
  return new Problem("taken", detail, { errors: [fieldError(`/${field}`, detail)] });
};

const connectionCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "ENOTFOUND",
  connectionRefused,
]);

const isConnectionLoss = (error: Error & { code?: string }) =>
  connectionCodes.has(error.code ?? "") ||
  /timeout exceeded when trying to connect|Connection terminated|Query read timeout|is not queryable|is a standby/.test(
    error.message,
  );

/** The problem for an error. An unexpected error is logged and answered without details. */
export const problemOf = (error: FastifyError | Error, log: (error: Error) => void): Problem => {
  if (error instanceof Problem) return error;
  if (error instanceof pg.DatabaseError) {
    const known = ofDatabase(error);
    if (known) return known;
  }
  const code = "code" in error ? error.code : "";
  const known = ofFramework[code];
  if (known) return new Problem(...known);
  if (isConnectionLoss(error)) {
    log(error);
    return new Problem(
      "unavailable",
      message(
        "service_unreachable",
        "A required service is unavailable. Try again in a few seconds.",
      ),
      {
        retryAfterSeconds: 5,
      },
    );
  }
  const status = "statusCode" in error ? (error.statusCode ?? 500) : 500;
  if (status === 403 || status === 404)
    return new Problem("not_found", message("url_not_found", "No resource exists at this URL."));
  if (status >= 400 && status < 500)
    return new Problem(
      "malformed",
      message("request_malformed", "The request isn't valid. Check its URL, headers and body."),
    );
  log(error);
  return new Problem(
    "internal",
    message(
      "internal",
      "Something went wrong on our side. If it happens again, report the request ID.",
    ),
  );
};

export const sendProblem = (request: FastifyRequest, reply: FastifyReply, problem: Problem) => {
  const { retryAfterSeconds } = problem.extra;
  request.problem = problem;
  if (retryAfterSeconds !== undefined) reply.header("retry-after", retryAfterSeconds);
  return reply
    .code(problem.status)
    .type("application/problem+json")
    .send(JSON.stringify(problem.body(request.id)));
};

/** Answers every error with a problem document, including those of the framework. */
export const answerErrors = (app: FastifyInstance) => {
  app.decorateRequest("problem", null);
  app.setErrorHandler((error: FastifyError, request, reply) =>
    sendProblem(
      request,
      reply,
      problemOf(error, (unexpected) => request.log.error({ err: unexpected }, "request failed")),
    ),
  );
};

type Show = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | null;

/** Answers unknown URLs: browsers get a page, all others a problem. */
export const answerUnknown = (app: FastifyInstance, showPage: Show) => {
  app.setNotFoundHandler(
    (request, reply) =>
      showPage(request, reply) ??
      sendProblem(
        request,
        reply,
        new Problem(
          "not_found",
          message(
            "endpoint_not_found",
            "No endpoint exists at this URL. See /api/reference for the list of endpoints.",
          ),
        ),
      ),
  );
};

/** Whether the database can't be reached or has no time. */
export const isDatabaseAway = (error: unknown) =>
  error instanceof Error && problemOf(error, () => undefined).code === "unavailable";
