/** The name of a column in TypeScript. */
export const camelCase = (name: string) =>
  name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());

/** The name of a field in the database. */
export const snakeCase = (name: string) =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
