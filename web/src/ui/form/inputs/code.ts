export const codePattern = /^[a-z0-9][a-z0-9_-]{0,62}[a-z0-9]$/;

/** The suggested code for a name: "Signal Desk" gives `signal-desk`. */
export const codeFor = (name: string) =>
  name
    .normalize("NFKD")
    .replace(/\p{Mark}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 64)
    .replace(/-$/, "");
