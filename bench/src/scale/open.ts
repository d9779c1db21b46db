/**
 * Statements over their bound that aren't corrected yet (docs/scale.md), with the most pages that they may touch in the
 * short form, so that they don't get worse and no other one joins them. The long form allows none of this.
 */
export const openStatements: Readonly<Record<string, number>> = {
  "approvals.approvals": 10_000,
  "customerSummary.offer": 15_000,
  "entitlements.checkedFeatures": 10_000,
  "entitlements.findGrants": 12_000,
  "features.features": 13_000,
  "integration.names": 5_000,
  "integration.setup": 8_000,
  "lists.countRows": 13_000,
  "lists.lastSearched": 13_000,
  "lists.lookUp": 4_000,
  "promotions.promotions": 8_000,
  "providers.findProviderEvents": 30_000,
  "reports.findListPrices": 4_000,
  "system.findGrowth": 1_000,
  "transactions.findPricingFacts": 4_000,
};

/** The same for requests, by the beginning of their URL. */
export const openRequests: readonly { start: string; pages: number }[] = [
  { start: "/api/features", pages: 26_000 },
  { start: "/api/provider-events", pages: 32_000 },
  { start: "/apps/view/", pages: 40_000 },
];
