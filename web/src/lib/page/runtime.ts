import type { Runtime } from "@purser/contract/pages/runtime";

/** How the development server's pages are; every other page says it itself. */
const development: Runtime = {
  company: "Purser",
  environment: "test",
  version: "",
  companyTimeZone: "UTC",
  basePath: "",
  apiBaseUrl: "/api",
  assetsBaseUrl: "/assets/",
  build: { id: "", timestamp: 0 },
  versionCheck: { manifestDelayMs: 1000, intervalMs: 300_000 },
  reloadGuardMs: 10_000,
  icons: {
    provider: "server",
    localEndpoint: "/icons",
    publicEndpoint: "https://api.iconify.design",
    fallback: false,
  },
};

/**
 * Whether a value has all that another has. More may come from a newer server, which gives this page until
 * its own is released. The contract's schema would need zod in every first screen.
 */
const isLike = (value: unknown, model: unknown): boolean => {
  if (typeof value !== typeof model || value === null) return false;
  if (typeof model !== "object" || model === null) return true;
  const given = value as Record<string, unknown>;
  return Object.entries(model).every(([name, one]) => isLike(given[name], one));
};

const unfilled = '"%RUNTIME%"';

const read = (): Runtime => {
  const text = globalThis.document?.getElementById("runtime-config")?.textContent ?? unfilled;
  if (text === unfilled) return development;
  const value: unknown = JSON.parse(text);
  if (isLike(value, development)) return value as Runtime;
  throw new Error("The page's configuration is not of this release.");
};

/** What the server says about this office, in the page itself: known before anybody signs in. */
export const runtime = read();

/** An address of a page for what is no link of the router's. */
export const pageAddress = (path: string) => `${runtime.basePath}${path}`;
