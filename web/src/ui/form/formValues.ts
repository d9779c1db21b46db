/** What a form holds of a request's body: everything that can be written, with nothing left out. */
export type FormValues<Body> = {
  [Name in Exclude<keyof Body, "reason">]-?: Exclude<Body[Name], undefined>;
};

/** The same, where some fields hold something else while they are typed. */
export type FormValuesWith<Body, Own extends Partial<Record<keyof Body, unknown>>> = Omit<
  FormValues<Body>,
  keyof Own
> &
  Own;
