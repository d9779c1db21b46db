import {
  type FieldError,
  type ProblemBody,
  type ProblemCode,
  problems,
  typeOf,
} from "@purser/contract/http/problem";
import type { Db } from "../db/db.ts";

type Extra = {
  errors?: FieldError[];
  current?: unknown;
  retryAfterSeconds?: number;
  /** Personal data in the detail, such as a name. It is sent to the client and kept out of the log. */
  personal?: readonly string[];
};

const loggedDetailMax = 500;
const emailAddress = /[^\s"'<>()]+@[^\s"'<>()]*\w/g;

/** Stored even though the rest of the request is rolled back. */
type Afterwards = (db: Db) => Promise<void>;

/** An expected refusal. Its detail tells the user what to do next. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly extra: Extra;
  readonly afterwards: Afterwards | null;

  constructor(
    code: ProblemCode,
    detail: string,
    extra: Extra = {},
    afterwards: Afterwards | null = null,
  ) {
    super(detail);
    this.code = code;
    this.extra = extra;
    this.afterwards = afterwards;
  }

  get status() {
    return problems[this.code][0];
  }

  /** The detail for the log, without personal data. Logs outlive the erasure of a customer. */
  get loggedDetail() {
    const { personal = [] } = this.extra;
    return personal
      .filter((word) => word !== "")
      .reduce((detail, word) => detail.replaceAll(word, "[redacted]"), this.message)
      .replaceAll(emailAddress, "[redacted]")
      .slice(0, loggedDetailMax);
  }

  body(requestId: string): ProblemBody {
    const [status, title] = problems[this.code];
    const { personal: _, ...extra } = this.extra;
    return {
      type: typeOf(this.code),
      title,
      status,
      detail: this.message,
      requestId,
      ...extra,
    };
  }
}

export const notFound = (what: string) =>
  new Problem("not_found", `There is no ${what} with this id. It may have been deleted.`);

/** The row, or a 404 that names what is missing. */
export const existing = <Row>(row: Row | undefined, what: string): Row => {
  if (row === undefined) throw notFound(what);
  return row;
};

type Refusal = { code: ProblemCode; detail: string; errors?: FieldError[] };

/** Throws the refusal of a rule, if it gave one. The log leaves out the personal data in its detail. */
export const refuse = (refusal: Refusal | null, personal: readonly string[] = []) => {
  if (!refusal) return;
  const { code, detail, ...extra } = refusal;
  throw new Problem(code, detail, { ...extra, personal });
};

/** A refusal for one field of the body. */
export const invalidAt = (pointer: string, code: string, message: string) =>
  new Problem("invalid", `"${pointer.slice(1)}" ${message}.`, {
    errors: [{ in: "body", pointer, code, message }],
  });
