import { message } from "#platform/messages.ts";

export const invalidCode = message(
  "promotion_code_invalid",
  "Enter 3 to 40 letters (A-Z) and digits.",
);

// A code that is copied from an email can contain invisible characters.
const ignored = /[\p{White_Space}\p{Dash}\p{Default_Ignorable_Code_Point}]/gu;

/** The form in which a code is stored and looked up, or null if the input can't be a code. */
export const normalizeCode = (typed: string): string | null => {
  const bare = typed.normalize("NFKC").replace(ignored, "").toUpperCase();
  return /^[A-Z0-9]{3,40}$/.test(bare) ? bare : null;
};

// Without 0, O, 1, I, L and U, which are easily confused.
const alphabet = "23456789ABCDEFGHJKMNPQRSTVWXYZ";

// 13 characters of 30 have 63 bits, too many to guess.
const length = 13;

/** An unguessable code in readable groups. `random` is `randomInt` of node:crypto. */
export const generateCode = (random: (below: number) => number): string =>
  Array.from({ length }, () => alphabet.charAt(random(alphabet.length)))
    .join("")
    .replace(/.{4}(?=.)/g, "$&-");
