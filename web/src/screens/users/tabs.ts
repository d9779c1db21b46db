/** The tabs of a user's page besides the first one, as in its URL. */
const userTabs = ["usage", "payments", "documents", "notes", "activity", "raw"] as const;
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

type Given = Record<string, string | string[] | undefined>;

const oneOf = (value: Given[string]) => [value].flat()[0];

/** What the URL of a user says. Anything else is ignored. */
export const readUserSearch = ({ at, tab, features, open }: Given): UserSearch => {
  const moment = oneOf(at);
  const isMoment = moment !== undefined && !Number.isNaN(Date.parse(moment));
  const known = userTabs.find((name) => name === tab);
  const rows = oneOf(open);
  return {
    ...(known && { tab: known }),
    ...(isMoment && { at: moment }),
    ...(features === "all" && { features }),
    ...(rows !== undefined && /^[0-9a-f,-]+$/.test(rows) && { open: rows }),
  };
};
