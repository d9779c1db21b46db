import { Problem } from "../http/problem.ts";
import { message } from "../messages.ts";

/** After the prefix of a key, so that a key shows its mode. */
export const testMark = "test_";

const keyShape = /^purser_(?:sk|pk|sa)_(?<mark>test_)?/;

/** Whether a secret has the form of a key of the other mode. */
const isOfOtherMode = (secret: string, isTest: boolean) => {
  const shape = keyShape.exec(secret);
  return shape !== null && (shape.groups?.["mark"] !== undefined) !== isTest;
};

/** Refuses a key of the other mode by name. It isn't in this database anyway, but the reason is hard to guess. */
export const assertOwnMode = (secret: string, isTest: boolean) => {
  if (!isOfOtherMode(secret, isTest)) return;
  throw new Problem(
    "unauthenticated",
    isTest
      ? message(
          "live_key_in_test_mode",
          "This is a live key. Use it without /test in the URL, or use a test key here.",
        )
      : message(
          "test_key_in_live",
          "This is a test key. Use it with /test after the URL of the API, or use a live key here.",
        ),
  );
};
