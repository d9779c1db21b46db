/** A column's name as TypeScript spells it. */
export const camelCase = (name: string) =>
  name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
