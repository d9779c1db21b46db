const special = /[\\^$.*+?()[\]{}|]/g;

/** A text with the search word marked. */
export const marked = (text: string, word: string | undefined) => {
  if (!word) return text;
  const pieces = text.split(new RegExp(`(${word.replace(special, "\\$&")})`, "gi"));
  if (pieces.length === 1) return text;
  return pieces.map((piece, place) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a text have no other identity.
    place % 2 === 1 ? <mark key={place}>{piece}</mark> : piece,
  );
};
