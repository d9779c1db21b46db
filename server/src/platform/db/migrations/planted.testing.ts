import { type Migration, readMigrations } from "./files.ts";

/** The migrations of the product, followed by these. */
export const withPlanted = async (...texts: string[]): Promise<Migration[]> => [
  ...(await readMigrations()),
  ...texts.map((text, place) => ({ name: `${9000 + place}_planted`, text })),
];
