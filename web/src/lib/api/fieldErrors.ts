import type { CallError } from "./call.ts";

/** The server's validation messages by field name, and by path for parts of a field: "lines.0.amount". */
export const fieldErrorsOf = (error: CallError): Record<string, string | undefined> =>
  Object.fromEntries(
    (error.problem.errors ?? []).flatMap(({ pointer, message }) => {
      const path = pointer.split("/").slice(1);
      return [
        [path[0] ?? "", message],
        [path.join("."), message],
      ];
    }),
  );
