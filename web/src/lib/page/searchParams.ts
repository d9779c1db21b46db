type Search = Record<string, unknown>;

export const stringifySearch = (search: Search): string => {
  const query = new URLSearchParams();
  for (const [name, given] of Object.entries(search))
    for (const value of [given].flat())
      if (value !== undefined && value !== null && value !== "") query.append(name, String(value));
  // Commas and colons are the grammar of lists: an address that people read keeps them.
  const readable = query.toString().replaceAll("%2C", ",").replaceAll("%3A", ":");
  return readable ? `?${readable}` : "";
};
