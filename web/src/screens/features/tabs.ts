const tabs = ["usage", "activity", "raw"] as const;

type Search = Record<string, string | string[] | undefined>;

/** The tab of a feature's page besides the first one, as in its URL. */
export const readFeatureTab = (search: Search): { tab?: (typeof tabs)[number] } => {
  const tab = tabs.find((one) => one === search["tab"]);
  return tab ? { tab } : {};
};
