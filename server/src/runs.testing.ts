/** Set by `npm run nightly -- laws`. Without it, tests run in the short form of the gate (docs/testing.md). */
export const isNightly = process.env["NIGHTLY"] === "true";

/** How many samples a test takes: as many as the gate has time for, or as many as a night has. */
export const sized = ({ gate, nightly }: Record<"gate" | "nightly", number>) =>
  isNightly ? nightly : gate;
