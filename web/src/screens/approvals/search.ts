const tabs = ["waiting", "mine", "decided"] as const;

/** The tab and the open request. Without a tab: requests to review. */
type ApprovalSearch = { tab?: (typeof tabs)[number]; preview?: string };

export const readApprovalSearch = (
  search: Record<string, string | string[] | undefined>,
): ApprovalSearch => {
  const tab = tabs.find((one) => one === search["tab"]);
  const preview = [search["preview"]].flat()[0];
  return { ...(tab && { tab }), ...(preview !== undefined && { preview }) };
};
