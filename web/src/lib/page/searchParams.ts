type Search = Record<string, unknown>;

export const stringifySearch = (search: Search): string => {
  const query = new URLSearchParams();
  for (const [name, given] of Object.entries(search))
    for (const value of [given].flat())
      if (value !== undefined && value !== null && value !== "") query.append(name, String(value));
  // Lists use commas and colons as separators; keep them readable in the URL.
  const readable = query.toString().replaceAll("%2C", ",").replaceAll("%3A", ":");
  return readable ? `?${readable}` : "";
};
