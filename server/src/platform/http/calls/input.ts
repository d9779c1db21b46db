import type { Endpoint, Input } from "@purser/contract/http/endpoint";
import type { FieldError } from "@purser/contract/http/problem";
import type { z } from "zod";
import { Problem } from "../problem.ts";

const parts = ["params", "query", "body"] as const;
const places = { params: "path", query: "query", body: "body" } as const;

const fieldErrors = (part: (typeof parts)[number], error: z.ZodError): FieldError[] =>
  error.issues.flatMap((issue) => {
    const unknown = issue.code === "unrecognized_keys" ? issue.keys : [];
    const paths = unknown.length > 0 ? unknown.map((key) => [...issue.path, key]) : [issue.path];
    return paths.map((path) => ({
      in: places[part],
      pointer: path
        .map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`)
        .join(""),
      code: issue.code,
      message: issue.message,
    }));
  });

// A message is either a whole sentence, or what the named value must be.
const sentenceOf = (error: FieldError | undefined) => {
  const { pointer = "", message = "" } = error ?? {};
  if (/^[A-Z]/.test(message)) return message.endsWith(".") ? message : `${message}.`;
  return `${pointer ? `"${pointer.slice(1)}"` : "The request"} ${message}.`;
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
  const more = errors.length > 1 ? ` ${errors.length - 1} more need to change.` : "";
  throw new Problem("invalid", `${sentenceOf(errors[0])}${more}`, { errors });
};
