import { numberedRowsMax } from "../http/numberedRows.ts";

/** The state of a list, which only the URL stores. */
export type ListSearch = {
  q?: string | undefined;
  f: string[];
  sort?: string | undefined;
  page?: string | undefined;
  size?: string | undefined;
  after?: string | undefined;
  before?: string | undefined;
  /** The day whose first row the page begins with. */
  at?: string | undefined;
  /** Column names, to share a URL with its columns. */
  cols?: string | undefined;
  /** The row in the preview next to the list. */
  preview?: string | undefined;
};

const single = ["q", "sort", "page", "size", "after", "before", "at", "cols", "preview"] as const;

export const sizes = ["10", "25", "50", "100"] as const;
export const usualSize = "25";

export type Given = Record<string, string | string[] | undefined>;

/** The last page that has a number. Later rows are reached from page to page. */
export const lastNumberedPage = (size: string = usualSize) =>
  Math.floor(numberedRowsMax / Number(size));

/** Without other values, a list starts at its beginning, which helps more than an error. */
export const places: Partial<Record<string, RegExp>> = {
  page: /^[1-9]\d*$/,
  size: /^([1-9]\d?|100)$/,
  at: /^\d{4}-(0[1-9]|1[0-2])-([0-2]\d|3[01])$/,
};

export const readListSearch = (given: Given): ListSearch => {
  const search: ListSearch = { f: [given["f"] ?? []].flat().filter(Boolean) };
  for (const name of single) {
    const value = [given[name]].flat()[0];
    if (value && places[name]?.test(value) !== false) search[name] = value;
  }
  const last = lastNumberedPage(search.size);
  if (Number(search.page) > last) search.page = String(last);
  return search;
};

/** Unknown names in the URL, shown to the user so that a mistyped filter isn't trusted. */
export const unknownIn = (given: Given) =>
  Object.keys(given).filter((name) => name !== "f" && !single.some((known) => known === name));

/** The query of the API call. */
export const queryOf = ({ q, f, sort, page, size = usualSize, after, before, at }: ListSearch) => ({
  ...(q && { q }),
  ...(f.length > 0 && { f }),
  ...(sort && { sort }),
  ...(page && !after && !before && !at && { page }),
  ...(after && { after }),
  ...(before && !after && { before }),
  ...(at && !after && !before && { at }),
  size,
});
export type ListQuery = ReturnType<typeof queryOf>;
