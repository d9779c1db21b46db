import fc from "fast-check";

/**
 * A placeholder in a generated request for a value of the running server, such as an id, token or cursor. It is
 * filled in just before sending, so that generated requests depend only on the seed.
 */
export class Known {
  readonly name: string;
  readonly pick: number;
  readonly otherwise: string;
  readonly bend: Bend;

  constructor(name: string, pick: number, otherwise: string, bend: Bend = "none") {
    this.name = name;
    this.pick = pick;
    this.otherwise = otherwise;
    this.bend = bend;
  }
}

const bends = {
  none: (text: string) => text,
  cut: (text: string) => text.slice(0, -1),
  grown: (text: string) => `${text}A`,
  flipped: (text: string) => `${text.startsWith("A") ? "B" : "A"}${text.slice(1)}`,
  turned: (text: string) => [...text].toReversed().join(""),
  doubled: (text: string) => text + text,
} as const;
type Bend = keyof typeof bends;

/** Modified tokens and cursors, which the server must refuse. */
export const tampered: readonly Bend[] = ["cut", "grown", "flipped", "turned", "doubled"];

export const known = (name: string, otherwise: fc.Arbitrary<string>, bend: Bend = "none") =>
  fc
    .tuple(fc.nat({ max: 1000 }), otherwise)
    .map(([pick, instead]) => new Known(name, pick, instead, bend));

export const at = <T>(list: readonly T[], pick: number): T | undefined => list[pick % list.length];

/** A JSON object, but not a placeholder. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === "object" && !Array.isArray(value) && !(value instanceof Known);

type Lookup = (name: string) => readonly unknown[];

/** Fills in placeholders. Own `__proto__` keys stay own keys. */
export const fillIn = (value: unknown, lookup: Lookup): unknown => {
  if (value instanceof Known) {
    const found = at(lookup(value.name), value.pick) ?? value.otherwise;
    return typeof found === "string" ? bends[value.bend](found) : found;
  }
  if (Array.isArray(value)) return value.map((item) => fillIn(item, lookup));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, fillIn(item, lookup)]),
  );
};
