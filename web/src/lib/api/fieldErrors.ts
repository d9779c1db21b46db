import type { CallError } from "./call.ts";

/** The server's validation messages by field name. */
export const fieldErrorsOf = (error: CallError): Record<string, string | undefined> =>
  Object.fromEntries(
    (error.problem.errors ?? []).map(({ pointer, message }) => [
      pointer.split("/")[1] ?? "",
      message,
    ]),
  );
