import { createHmac, timingSafeEqual } from "node:crypto";
import type { SecretKeys } from "../auth/secrets.ts";
import { Problem } from "../http/problem.ts";
import { message } from "../messages.ts";

/** Where a page starts: the sort, and the sort values and id of the row. */
export type Place = { sort: string; values: string[] };

const signatureBytes = 12;

const sign = (key: string, payload: Buffer) =>
  createHmac("sha256", key).update(payload).digest().subarray(0, signatureBytes);

/** Signed, so that only cursors from our own replies reach the database. */
export const writeCursor = ([key = ""]: SecretKeys, { sort, values }: Place) => {
  const payload = Buffer.from(JSON.stringify([sort, ...values]));
  return Buffer.concat([sign(key, payload), payload]).toString("base64url");
};

export const readCursor = (keys: SecretKeys, cursor: string, sort: string): string[] => {
  const bytes = Buffer.from(cursor, "base64url");
  const payload = bytes.subarray(signatureBytes);
  const signature = bytes.subarray(0, signatureBytes);
  const genuine =
    signature.length === signatureBytes &&
    keys.some((key) => timingSafeEqual(signature, sign(key, payload)));
  const [writtenFor, ...values] = genuine ? (JSON.parse(payload.toString()) as string[]) : [];
  if (genuine && writtenFor === sort) return values;
  throw new Problem(
    "invalid",
    genuine
      ? message(
          "cursor_of_other_sort",
          "This cursor belongs to a different sort order. Start from the first page.",
        )
      : message("cursor_invalid", "This cursor isn't valid. Start from the first page."),
  );
};
