type Period = { from: string; until: string; currency: string };

/** The transactions that were settled in a period, which a figure adds up. */
export const settledIn = ({ from, until, currency }: Period, ...more: string[]) => ({
  to: "/transaction" as const,
  search: {
    f: [`settledAt:between:${from},${until}`, `currency:is:${currency}`, ...more],
  },
});

/** The customers behind a movement of recurring revenue. */
export const customersOf = ({ from, until, currency }: Period, list: string) => ({
  to: "/reports" as const,
  search: { tab: "customers", list, range: "custom", from, until, currency },
});

export const reportAt = (tab: string, search: Record<string, string | undefined> = {}) => ({
  to: "/reports" as const,
  search: { tab, ...search },
});
