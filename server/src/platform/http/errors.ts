import { type ProblemCode, problems } from "@purser/contract/http/problem";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import pg from "pg";
import { camelCase } from "../db/names.ts";
import { Problem } from "./problem.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The problem in the reply, for the log line. */
    problem: Problem | null;
  }
}

const ofFramework: Record<string, [ProblemCode, string]> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    "unsupported_media_type",
    "Send the body as application/json, encoded in UTF-8.",
  ],
  FST_ERR_CTP_BODY_TOO_LARGE: ["too_large", "The body is too large. Send less at a time."],
  FST_ERR_CTP_EMPTY_JSON_BODY: ["malformed", "The body is empty. Send a JSON object."],
  FST_ERR_CTP_INVALID_JSON_BODY: ["malformed", "The body is no JSON. Check its quotes and commas."],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    "malformed",
    "The body is not as long as its Content-Length says.",
  ],
  FST_ERR_BAD_URL: ["malformed", "The address cannot be read. Check its percent signs."],
  FST_ERR_MAX_PARAM_LENGTH: ["malformed", "A part of the address is too long."],
  FST_UNDER_PRESSURE: ["unavailable", "The server is busy. Try again in a few seconds."],
};

// Codes of PostgreSQL when it is unreachable, restarting or waiting too long for a lock.
const passing = /^(08|53|55P03|57|40P01|40001|25P03)/;

const isProblemCode = (code: string): code is ProblemCode => Object.hasOwn(problems, code);

/** A trigger that raises with the constraint `problem_<code>` writes the detail itself. */
const ofDatabase = (error: pg.DatabaseError): Problem | null => {
  const { code = "", constraint = "", table = "" } = error;
  const own = /^problem_(?<own>\w+)$/.exec(constraint)?.groups?.["own"];
  if (own && isProblemCode(own)) return new Problem(own, error.message);
  const field =
    new RegExp(`^${table}_(\\w+)_taken$`).exec(constraint)?.[1] ??
    /^[a-z_]+?_(?<field>[a-z_]+)_taken$/.exec(constraint)?.groups?.["field"];
  if (code === "23505" && field) return taken(camelCase(field));
  if (code === "23503")
    return new Problem("in_use", "Something refers to it, or it refers to something gone.");
  if (code === "23P01")
    return new Problem(
      "wrong_state",
      "It would overlap with something that is there. Look at it again.",
    );
  if (passing.test(code))
    return new Problem("unavailable", "The database is busy. Try again in a few seconds.", {
      retryAfterSeconds: 2,
    });
  return null;
};

/** The refusal of a unique index named `<table>_<field>_taken`, at that field. */
const taken = (field: string) => {
  const message = "Another one already has this. Choose another.";
  return new Problem("taken", message, {
    errors: [{ in: "body", pointer: `/${field}`, code: "taken", message }],
  });
};

const connectionCodes = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "ENOTFOUND"]);

const isConnectionLoss = (error: Error & { code?: string }) =>
  connectionCodes.has(error.code ?? "") ||
  /timeout exceeded when trying to connect|Connection terminated|Query read timeout|is not queryable/.test(
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
    return new Problem("unavailable", "A part of the service is out of reach. Try again soon.", {
      retryAfterSeconds: 5,
    });
  }
  const status = "statusCode" in error ? (error.statusCode ?? 500) : 500;
  if (status === 403 || status === 404)
    return new Problem("not_found", "Nothing is at this address.");
  if (status >= 400 && status < 500)
    return new Problem(
      "malformed",
      "The request cannot be read. Check its address, headers and body.",
    );
  log(error);
  return new Problem(
    "internal",
    "Something broke on our side and was logged. If it stays, report it with the request id.",
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
          "Nothing is at this address. See /api/reference for what there is.",
        ),
      ),
  );
};
