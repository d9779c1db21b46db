import type { CallError } from "./call.ts";

/** What the server says is wrong, by field. */
export const fieldErrorsOf = (error: CallError): Record<string, string | undefined> =>
  Object.fromEntries(
    (error.problem.errors ?? []).map(({ pointer, message }) => [
      pointer.split("/")[1] ?? "",
      message,
    ]),
  );
