import type { Endpoint, Input } from "@purser/contract/http/endpoint";
import type { FieldError } from "@purser/contract/http/problem";
import type { Message } from "@purser/contract/messages/message";
import type { z } from "zod";
import { message, ruleMessage } from "#platform/messages.ts";
import { fieldError, Problem } from "../problem.ts";

const parts = ["params", "query", "body"] as const;
const places = { params: "path", query: "query", body: "body" } as const;

const fieldErrors = (part: (typeof parts)[number], error: z.ZodError): FieldError[] =>
  error.issues.flatMap((issue) => {
    const unknown = issue.code === "unrecognized_keys" ? issue.keys : [];
    const paths = unknown.length > 0 ? unknown.map((key) => [...issue.path, key]) : [issue.path];
    return paths.map((path) => {
      const pointer = path.map(
        (step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`,
      );
      return fieldError(pointer.join(""), ruleMessage(issue.message), places[part]);
    });
  });

const shownMax = 5;

/** The sentence of the only error, or the names of the first fields with errors. */
const detailOf = (errors: FieldError[]): Message => {
  const [only, ...others] = errors;
  if (only && others.length === 0) {
    const { code, message: text, parameters } = only;
    return { code, text, ...(parameters && { parameters }) };
  }
  const fields = [...new Set(errors.map(({ pointer }) => pointer.slice(1)))].filter(Boolean);
  return message("fields_invalid", "Some values are invalid. Check {fields}.", {
    fields: fields.slice(0, shownMax),
  });
};

/** The parts of a request before they are parsed. */
export type Given = { params?: unknown; query?: unknown; body?: unknown };

/** Parses with the contract, or refuses with all field errors. */
export const parseInput = <E extends Endpoint>(endpoint: E, given: Given): Input<E> => {
  const input: Record<string, unknown> = {};
  const errors: FieldError[] = [];
  for (const part of parts) {
    const schema = endpoint[part];
    if (!schema) continue;
    const parsed = schema.safeParse(given[part] ?? (part === "body" ? undefined : {}));
    if (parsed.success) input[part] = parsed.data;
    else errors.push(...fieldErrors(part, parsed.error));
  }
  if (errors.length === 0) return input as Input<E>;
  throw new Problem("invalid", detailOf(errors), { errors });
};
