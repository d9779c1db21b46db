import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { Problem } from "../problem.ts";

const parseVersion = (request: FastifyRequest) => {
  const given = request.headers["if-match"];
  if (given === undefined)
    throw new Problem("version_missing", "Send the ETag that you read as If-Match.");
  const match = /^"([1-9]\d{0,8})"$/.exec(given);
  if (!match)
    throw new Problem("invalid", 'If-Match must be one ETag of ours, such as "3".', {
      errors: [{ in: "header", pointer: "/if-match", code: "format", message: "must be one ETag" }],
    });
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
      "Somebody saved it since you read it. Compare with the current version and save again.",
      { current: z.encode(shown, current) },
    );
  };
};

export const unversioned = () => {
  throw new Error("The endpoint does not say that it is versioned.");
};
