/** The form values of a request body: all writable fields, none optional. */
export type FormValues<Body> = {
  [Name in Exclude<keyof Body, "reason">]-?: Exclude<Body[Name], undefined>;
};

/** With other types for fields that hold something else while being edited. */
export type FormValuesWith<Body, Own extends Partial<Record<keyof Body, unknown>>> = Omit<
  FormValues<Body>,
  keyof Own
> &
  Own;
