import { plural } from "@lingui/core/macro";

/** An error whose message is meant for the user. */
export class UserFacingError extends Error {
  override name = "UserFacingError";
}

/** The same action works again after a while. */
export class RetryLaterError extends UserFacingError {
  override name = "RetryLaterError";
  readonly until: number;

  constructor(seconds: number) {
    super(
      plural(seconds, {
        one: "Too many attempts. Try again in # second.",
        other: "Too many attempts. Try again in # seconds.",
      }),
    );
    this.until = Date.now() + seconds * 1000;
  }
}

/** The result of a promise, for components that show both cases. Unexpected errors are rethrown. */
export type Outcome<T> = { value: T; refusal: null } | { value: null; refusal: UserFacingError };

export const outcomeOf = <T>(promise: Promise<T>): Promise<Outcome<T>> =>
  promise.then(
    (value) => ({ value, refusal: null }),
    (error: unknown) => {
      if (error instanceof UserFacingError) return { value: null, refusal: error };
      throw error;
    },
  );
