/** What a form holds of a request's body: everything that can be written, with nothing left out. */
export type FormValues<Body> = {
  [Name in Exclude<keyof Body, "reason">]-?: Exclude<Body[Name], undefined>;
};
