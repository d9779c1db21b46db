/** Something that did not work; its message is for the person who tried. */
export class Refusal extends Error {
  override name = "Refusal";
}

/** Something that works again after a while. */
export class Wait extends Refusal {
  override name = "Wait";
  readonly until: number;

  constructor(seconds: number) {
    super(`Wait ${seconds} s, then try again.`);
    this.until = Date.now() + seconds * 1000;
  }
}

/** What came of a promise, for a component that shows either. Anything but a refusal is a bug and goes on. */
export type Outcome<T> = { value: T; refusal: null } | { value: null; refusal: Refusal };

export const outcomeOf = <T>(promise: Promise<T>): Promise<Outcome<T>> =>
  promise.then(
    (value) => ({ value, refusal: null }),
    (error: unknown) => {
      if (error instanceof Refusal) return { value: null, refusal: error };
      throw error;
    },
  );
