/** The tabs of a user's page besides the first one, as in its URL. */
export const userTabs = ["usage", "payments", "documents", "notes", "activity", "raw"] as const;
export type UserTab = (typeof userTabs)[number];
