import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { message } from "#platform/messages.ts";
import { fieldError, Problem } from "../problem.ts";

const parseVersion = (request: FastifyRequest) => {
  const given = request.headers["if-match"];
  if (given === undefined)
    throw new Problem(
      "version_missing",
      message("if_match_missing", "Send the record's ETag in the If-Match header."),
    );
  const match = /^"([1-9]\d{0,8})"$/.exec(given);
  if (!match) {
    const detail = message(
      "if_match_invalid",
      'Send one ETag in the If-Match header, such as "3".',
    );
    throw new Problem("invalid", detail, { errors: [fieldError("/if-match", detail, "header")] });
  }
  return Number(match[1]);
};

const checkedVersions = new WeakSet<FastifyRequest>();

export const hasCheckedVersion = (request: FastifyRequest) => checkedVersions.has(request);

/**
 * Refuses a change that was made from another version than the stored one, and sends that one. The handler of a
 * versioned endpoint must call it; otherwise it fails instead of overwriting.
 */
export type AssertVersion = <Row extends { version: number }>(
  current: Row,
  shown: z.ZodType<Row>,
) => Row;

export const versionCheck = (request: FastifyRequest, given: number | null): AssertVersion => {
  const version = given ?? parseVersion(request);
  return (current, shown) => {
    checkedVersions.add(request);
    if (current.version === version) return current;
    throw new Problem(
      "stale_version",
      message(
        "stale_version",
        "Someone else saved changes since you opened this. Review them and save again.",
      ),
      { current: z.encode(shown, current) },
    );
  };
};

export const unversioned = () => {
  throw new Error("The endpoint is not declared as versioned.");
};
