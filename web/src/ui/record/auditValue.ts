/** A stored value as text; what is not there is nothing. */
export const textOf = (value: unknown): string => {
  if (value === null || value === undefined || value === "") return "nothing";
  if (Array.isArray(value)) return value.length > 0 ? value.map(textOf).join(", ") : "nothing";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
};
