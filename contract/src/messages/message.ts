type Money = { amount: number; currency: string };
/** A moment, shown as a date, or as a date with the time. */
type Moment = { at: string; time?: boolean | undefined };
export type Parameter = string | number | string[] | Money | Moment;
export type Parameters = Record<string, Parameter>;

/**
 * A sentence for users. Clients that know the code can show it in another language with the parameters; the
 * text is English.
 */
export type Message = { code: string; text: string; parameters?: Parameters | undefined };

type Name<Inner extends string> = Inner extends `${infer First},${string}`
  ? First
  : Inner extends `${string} ${string}` | `#${string}`
    ? never
    : Inner;

/** The placeholders of a template: `{count}`, `{count, plural, one {# app} other {# apps}}`. */
type Names<Template extends string> = Template extends `${string}{${infer Inner}}${infer Rest}`
  ? Name<Inner> | Names<Rest>
  : never;

/** The parameters that a template requires. */
export type ParametersOf<Template extends string> = [Names<Template>] extends [never]
  ? []
  : [Record<Names<Template>, Parameter>];
