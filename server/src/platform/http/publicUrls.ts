import type { Config } from "../../config.ts";

type Places = { basePath: string; apiBaseUrl: string; assetsBaseUrl: string };

/** Where browsers find the parts of the product, by the environment alone. */
export const placesOf = (config: Config): Places => ({
  basePath: config.BASE_PATH,
  apiBaseUrl: config.API_BASE_URL ?? `${config.BASE_PATH}/api`,
  assetsBaseUrl: config.ASSETS_BASE_URL ?? `${config.BASE_PATH}/assets/`,
});

/** Where people open the office. */
export const workspaceUrl = ({ PUBLIC_URL, BASE_PATH }: Config) => `${PUBLIC_URL}${BASE_PATH}`;

const below = (url: string, place: string) =>
  url === place || [`${place}/`, `${place}?`].some((start) => url.startsWith(start))
    ? url.slice(place.length)
    : null;

/** No address of ours: what is sent there is told to be unknown, by its own name. */
const nowhere = "//";

/** Whether the framework could read it; a page is told to be unknown in our own words instead. */
const isReadable = (page: string) => {
  try {
    return decodeURIComponent(page.split("?")[0] ?? "").length < 1000;
  } catch {
    return false;
  }
};

/**
 * How an address from outside is written inside, where routes know nothing of these places. What a
 * balancer asks for stays at the root.
 */
export const innerUrl = (config: Config) => {
  const { basePath, apiBaseUrl, assetsBaseUrl } = placesOf(config);
  return (url: string) => {
    const api = below(url, apiBaseUrl);
    if (api !== null) return `/api${api}`;
    const assets = below(url, assetsBaseUrl.slice(0, -1));
    if (assets !== null) return `/assets${assets}`;
    if (/^\/(healthz|readyz)(\?|$)/.test(url)) return url;
    const page = below(url, basePath);
    if (page === null || /^\/(api|assets)(\/|\?|$)/.test(page) || !isReadable(page)) return nowhere;
    return page.startsWith("/") ? page : `/${page}`;
  };
};
