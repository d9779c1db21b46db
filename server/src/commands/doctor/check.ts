import { codeOf, explanationOf } from "../explanations.ts";

/** One line of the report. A warning or a failure says what to do. */
export type Finding = { status: "ok" | "warning" | "failed"; name: string; text: string };

export const ok = (name: string, text: string): Finding => ({ status: "ok", name, text });
export const warning = (name: string, text: string): Finding => ({ status: "warning", name, text });
export const failed = (name: string, text: string): Finding => ({ status: "failed", name, text });

/** What an error of the database means. */
const databaseFault = (error: unknown) =>
  explanationOf(error) ?? (error instanceof Error ? error.message : String(error));

/** What an error of another service means. Its text must not name the database. */
export const serviceFault = (error: unknown) => {
  const code = codeOf(error);
  const text = error instanceof Error ? error.message : String(error);
  return text || code || "unknown error";
};

/** The findings of a check. An unexpected error is a finding, too, so that the others are still made. */
export const attempt = async (
  name: string,
  check: () => Promise<Finding | readonly Finding[]>,
  faultOf = databaseFault,
): Promise<Finding[]> => {
  try {
    return [await check()].flat();
  } catch (error) {
    return [failed(name, faultOf(error))];
  }
};
