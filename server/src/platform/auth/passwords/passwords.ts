import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { ZxcvbnFactory } from "@zxcvbn-ts/core";
import { adjacencyGraphs, dictionary } from "@zxcvbn-ts/language-common";
import { invalidAt, Problem } from "#platform/http/problem.ts";
import { message } from "#platform/messages.ts";

// OWASP's second choice for argon2id: 19 MiB, two passes, one lane.
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };

const derive = promisify(
  (parameters: Argon2Parameters, done: (error: Error | null, key: Buffer) => void) =>
    argon2("argon2id", parameters, done),
);

const runningMax = 4;
const waitingMax = 64;
let running = 0;
const waiting: (() => void)[] = [];

// Each hash takes 19 MiB and a core. A flood of sign-ins waits here and does not slow down other requests.
const gated = async <T>(work: () => Promise<T>) => {
  if (waiting.length >= waitingMax)
    throw new Problem(
      "unavailable",
      message("sign_in_busy", "Too many sign-ins at the moment. Try again in a few seconds."),
      {
        retryAfterSeconds: 5,
      },
    );
  if (running >= runningMax) await new Promise<void>((resolve) => waiting.push(resolve));
  running += 1;
  try {
    return await work();
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
};

const unpadded = (bytes: Buffer) => bytes.toString("base64").replace(/=+$/, "");

export const hashPassword = async (password: string) => {
  const nonce = randomBytes(16);
  const key = await gated(() => derive({ message: password, nonce, ...cost }));
  const { memory, passes, parallelism } = cost;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(nonce)}$${unpadded(key)}`;
};

const format =
  /^\$argon2id\$v=19\$m=(?<memory>\d+),t=(?<passes>\d+),p=(?<parallelism>\d+)\$(?<nonce>[^$]+)\$(?<key>[^$]+)$/;

// An unknown address is compared with this, so that it takes as long as a known one.
const decoyHash = hashPassword(randomBytes(16).toString("hex"));

/** Whether the password is correct. Without a hash it does the same work and returns false. */
export const verifyPassword = async (password: string, hash: string | null) => {
  const parts = format.exec(hash ?? (await decoyHash))?.groups;
  if (!parts) throw new Error("A stored password hash has an unknown format.");
  const expected = Buffer.from(parts["key"] ?? "", "base64");
  const key = await gated(() =>
    derive({
      message: password,
      nonce: Buffer.from(parts["nonce"] ?? "", "base64"),
      memory: Number(parts["memory"]),
      passes: Number(parts["passes"]),
      parallelism: Number(parts["parallelism"]),
      tagLength: expected.length,
    }),
  );
  return timingSafeEqual(key, expected) && hash !== null;
};

const strength = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });

const estimatedMax = 40;

// Words that people often use in passwords for this product, or because of the time of year.
const obviousWords = ["purser", "spring", "summer", "autumn", "winter"];

/** The words of a name or address, which an attacker who knows the user would guess first. */
const wordsOf = (about: string[]) =>
  about
    .flatMap((text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u))
    .filter((word) => word.length >= 3)
    .sort((one, other) => other.length - one.length);

/**
 * Refuses common passwords and patterns. The user's own name and address add no strength: what is left of the
 * password without them must be strong.
 */
export const refuseWeakPassword = (password: string, about: string[]) => {
  const typed = password.toLowerCase();
  const rest = wordsOf([...about, ...obviousWords]).reduce(
    (left, word) => left.replaceAll(word, " "),
    typed,
  );
  const counted = rest === typed ? password : rest.replace(/[^\p{L}\p{N}]+/gu, " ").trim();
  // The time of the estimate grows with the square of the length, and it blocks other requests.
  if (strength.check(counted.slice(0, estimatedMax), about).score >= 3) return;
  throw invalidAt(
    "/password",
    message(
      "password_weak",
      "This password is easy to guess. Use several unrelated words, or a password manager.",
    ),
  );
};
