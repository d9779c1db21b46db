export type Parts = {
  params?: Record<string, unknown> | undefined;
  query?: Record<string, unknown> | undefined;
};

/** The URL of a call below the API's base. Equal calls give equal URLs. */
export const addressOf = (path: string, { params = {}, query = {} }: Parts) => {
  const filled = path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(params[name])),
  );
  const search = new URLSearchParams();
  for (const [name, given] of Object.entries(query))
    for (const value of [given].flat()) if (value !== undefined) search.append(name, String(value));
  return `${filled}${search.size > 0 ? `?${search}` : ""}`;
};

/** The query of a URL; a repeated name becomes a list. */
export const parseSearch = (source: string) => {
  const search: Record<string, string | string[]> = {};
  for (const [name, value] of new URLSearchParams(source)) {
    const known = search[name];
    search[name] = known === undefined ? value : [known, value].flat();
  }
  return search;
};
