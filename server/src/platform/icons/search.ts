const shownMax = 48;

/** Shown before a search: icons for common subjects of apps. */
export const general = [
  "apps",
  "app-window",
  "device-desktop",
  "device-mobile",
  "world",
  "api",
  "code",
  "database",
  "cloud",
  "server",
  "layout-dashboard",
  "chart-bar",
  "chart-line",
  "chart-pie",
  "report",
  "table",
  "list-check",
  "checklist",
  "calendar",
  "clock",
  "mail",
  "inbox",
  "message",
  "phone",
  "bell",
  "users",
  "user",
  "id-badge",
  "building",
  "home",
  "map",
  "map-pin",
  "camera",
  "photo",
  "music",
  "video",
  "book",
  "notebook",
  "file-text",
  "folder",
  "credit-card",
  "receipt",
  "shopping-cart",
  "package",
  "truck",
  "tools",
  "shield-lock",
  "key",
] as const;

/** How close a name is to the search: lower is closer, null is no match. */
const distance = (name: string, typed: string) => {
  if (name === typed) return 0;
  if (name.startsWith(typed)) return 1;
  if (name.includes(`-${typed}`)) return 2;
  return name.includes(typed) ? 3 : null;
};

/** The matching names, closest first, and their total number. */
export const searchNames = (names: readonly string[], q: string) => {
  const typed = q
    .toLowerCase()
    .split(/[\s-]+/)
    .filter(Boolean)
    .join("-");
  if (typed === "") return { names: [...general], total: names.length };
  const ranks = Map.groupBy(names, (name) => distance(name, typed));
  const matching = ([0, 1, 2, 3] as const).flatMap((rank) => ranks.get(rank) ?? []);
  return { names: matching.slice(0, shownMax), total: matching.length };
};
