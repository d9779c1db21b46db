import { message } from "#platform/messages.ts";
import { Problem } from "../problem.ts";

const tooLate = () =>
  new Problem(
    "unavailable",
    message(
      "request_timeout",
      "The request took too long. Try again with the same Idempotency-Key.",
    ),
    { retryAfterSeconds: 5 },
  );

/**
 * Answers in time even if the work takes longer; the framework's own limit ends once the body is read. The work may
 * still be committed, and its Idempotency-Key then returns the reply.
 */
export const inTime = <T>(answer: Promise<T>, answerMs: number) => {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const timer = setTimeout(() => reject(tooLate()), answerMs);
  answer.then(resolve, reject).finally(() => clearTimeout(timer));
  return promise;
};
