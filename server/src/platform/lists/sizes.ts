const remembered = 1000;
const rememberedMs = 10_000;

/** What is known about the lists of one database. */
export const openListSizes = () => {
  // The statistics of a table change only with ANALYZE.
  const sizes = new Map<string, { rows: number; until: number }>();
  // A filter that matches more rows than the cap will still do so when the next page is requested.
  const manyUntil = new Map<string, number>();
  const later = () => performance.now() + rememberedMs;
  return {
    rowsOf: (table: string) => {
      const known = sizes.get(table);
      return known && known.until > performance.now() ? known.rows : null;
    },
    rememberRows: (table: string, rows: number) => {
      sizes.set(table, { rows, until: later() });
    },
    isMany: (filter: string) => (manyUntil.get(filter) ?? 0) > performance.now(),
    rememberMany: (filter: string) => {
      if (manyUntil.size >= remembered) manyUntil.clear();
      manyUntil.set(filter, later());
    },
  };
};
export type ListSizes = ReturnType<typeof openListSizes>;
