// Invisible characters come along when somebody copies a code out of a mail.
const ignored = /[\p{White_Space}\p{Dash}\p{Default_Ignorable_Code_Point}]/gu;

/** A code as it is stored and looked up, or null where what was typed can be none. */
export const normaliseCode = (typed: string): string | null => {
  const bare = typed.normalize("NFKC").replace(ignored, "").toUpperCase();
  return /^[A-Z0-9]{3,40}$/.test(bare) ? bare : null;
};

// None of 0 and O, 1, I and L, which look alike, nor U, which looks like V.
const alphabet = "23456789ABCDEFGHJKMNPQRSTVWXYZ";

// One of 30 carries 4.9 bits, so 13 carry 63: nobody finds a code by trying.
const length = 13;

/** A code that nobody can guess, in groups as people read them. `random` is `randomInt` of node:crypto. */
export const generateCode = (random: (below: number) => number): string =>
  Array.from({ length }, () => alphabet.charAt(random(alphabet.length)))
    .join("")
    .replace(/.{4}(?=.)/g, "$&-");
