type Period = { from: string; until: string; currency: string };

/** The transactions that were settled in a period, which a figure adds up. */
export const settledIn = ({ from, until, currency }: Period, ...more: string[]) => ({
  to: "/transaction" as const,
  search: {
    f: [`settledAt:between:${from},${until}`, `currency:is:${currency}`, ...more],
  },
});

/** The customers behind a movement of recurring revenue, of one package or all. */
export const customersOf = (
  { from, until, currency }: Period,
  list: string,
  packageId: string | null = null,
) => ({
  to: "/reports" as const,
  search: {
    tab: "customers",
    list,
    range: "custom",
    from,
    until,
    currency,
    ...(packageId && { package: packageId }),
  },
});

/** The customers who were subscribed at the end of a period. */
export const subscribersOf = ({ from, until, currency }: Period) => ({
  to: "/reports" as const,
  search: { tab: "subscribers", range: "custom", from, until, currency },
});

export const reportAt = (tab: string, search: Record<string, string | undefined> = {}) => ({
  to: "/reports" as const,
  search: { tab, ...search },
});

/** The payments, credits, refunds and disputes behind a number of revenue. */
export const rowsOf = ({ from, until, currency }: Period, group: string, key: string) => ({
  to: "/reports" as const,
  search: { tab: "rows", group, ...(key && { key }), range: "custom", from, until, currency },
});

type ShareCell = { rule: string; app: string; package?: string };

/** The days behind an app's share of one package or all. */
export const shareRowsOf = ({ from, until, currency }: Period, cell: ShareCell) => ({
  to: "/reports" as const,
  search: { tab: "share-rows", range: "custom", from, until, currency, ...cell },
});

/** The customers of a cohort who were subscribed at the end of a month. */
export const retainedOf = (currency: string, cohort: string, month: string) => ({
  to: "/reports" as const,
  search: { tab: "retained", cohort, month, currency },
});
