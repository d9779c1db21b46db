/** The tabs of a user's page besides the first one, as in its URL. */
export const userTabs = ["usage", "payments", "documents", "notes", "activity", "raw"] as const;
export type UserTab = (typeof userTabs)[number];

export type UserSearch = {
  tab?: UserTab;
  /** The moment whose entitlements are shown. */
  at?: string;
  /** Also features without access. */
  features?: "all";
  /** The IDs of the features that show their calculation. */
  open?: string;
};
