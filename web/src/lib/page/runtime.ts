import type { Runtime } from "@purser/contract/pages/runtime";

/** Values for the development server. Built pages contain their own. */
const development: Runtime = {
  company: "Purser",
  environment: "test",
  mode: "live",
  otherMode: "",
  clockAheadMs: 0,
  version: "",
  companyTimeZone: "UTC",
  basePath: "",
  apiBaseUrl: "/api",
  assetsBaseUrl: "/assets/",
  build: { id: "", timestamp: 0 },
  versionCheck: { manifestDelayMs: 1000, intervalMs: 300_000 },
  reloadGuardMs: 10_000,
  traces: false,
  icons: {
    provider: "server",
    localEndpoint: "/icons",
    publicEndpoint: "https://api.iconify.design",
    fallback: false,
  },
};

/**
 * Whether a value has all properties of the model. A newer server may send more. Validating with
 * the contract's schema would add zod to every first screen.
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

/** The server's configuration in the page, known before sign-in. */
export const runtime = read();

/** The URL of a page, for links outside the router. */
export const pageAddress = (path: string) => `${runtime.basePath}${path}`;
