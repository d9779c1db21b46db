/** Set by `npm run nightly -- laws`. Without it, tests run in the short form of the gate (docs/testing.md). */
export const isNightly = process.env["NIGHTLY"] === "true";

/** The number of samples of a property test, which is larger in nightly runs. */
export const sized = ({ gate, nightly }: Record<"gate" | "nightly", number>) =>
  isNightly ? nightly : gate;
