type Person = { id: string; name: string };

/** What is typed after the last @, if the text ends with a mention in progress. */
export const mentionBefore = (before: string): string | null =>
  /(?:^|\s)@([^@\n]{0,40})$/.exec(before)?.[1] ?? null;

/** Replaces the mention in progress at a place of the text by a name. */
export const withMention = (text: string, place: number, name: string) => {
  const before = text.slice(0, place).replace(/@[^@\n]{0,40}$/, `@${name} `);
  const after = text.slice(place).replace(/^ /, "");
  return { text: before + after, place: before.length };
};

/** The ids of the chosen people whose names are still in the text. */
export const mentionedIn = (text: string, known: readonly Person[]) => [
  ...new Set(known.filter(({ name }) => text.includes(`@${name}`)).map(({ id }) => id)),
];

export type Piece = { text: string; isMention: boolean };

/** The text in pieces, with the mentioned names as pieces of their own. The longest name comes first. */
export const piecesOf = (text: string, mentions: readonly Pick<Person, "name">[]): Piece[] => {
  const names = mentions
    .map(({ name }) => `@${name}`)
    .toSorted((one, other) => other.length - one.length);
  const pieces: Piece[] = [];
  let rest = text;
  while (rest !== "") {
    const places = names
      .map((name) => ({ name, at: rest.indexOf(name) }))
      .filter(({ at }) => at >= 0)
      .toSorted((one, other) => one.at - other.at || other.name.length - one.name.length);
    const [next] = places;
    if (!next) break;
    if (next.at > 0) pieces.push({ text: rest.slice(0, next.at), isMention: false });
    pieces.push({ text: next.name, isMention: true });
    rest = rest.slice(next.at + next.name.length);
  }
  return rest === "" ? pieces : [...pieces, { text: rest, isMention: false }];
};
