/** A stored value as text. */
export const formatAuditValue = (value: unknown): string => {
  if (value === null || value === undefined || value === "") return "nothing";
  if (Array.isArray(value))
    return value.length > 0 ? value.map(formatAuditValue).join(", ") : "nothing";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
};
