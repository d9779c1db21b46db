import type { Config } from "../../config.ts";

type Places = { basePath: string; apiBaseUrl: string; assetsBaseUrl: string };

/** The public URLs of the product, from the environment only. */
export const placesOf = (config: Config): Places => ({
  basePath: config.BASE_PATH,
  apiBaseUrl: config.API_BASE_URL ?? `${config.BASE_PATH}/api`,
  assetsBaseUrl: config.ASSETS_BASE_URL ?? `${config.BASE_PATH}/assets/`,
});

/** The URL that team members open. */
export const workspaceUrl = ({ PUBLIC_URL, BASE_PATH }: Config) => `${PUBLIC_URL}${BASE_PATH}`;

/** The rest of a URL below a place, or null elsewhere. */
export const below = (url: string, place: string) =>
  url === place || [`${place}/`, `${place}?`].some((start) => url.startsWith(start))
    ? url.slice(place.length)
    : null;

/** A path that no route has, so that the request is answered as unknown with its own URL. */
const nowhere = "//";

/** Whether the framework can decode the path. If not, our own not-found page answers. */
const isReadable = (page: string) => {
  try {
    return decodeURIComponent(page.split("?")[0] ?? "").length < 1000;
  } catch {
    return false;
  }
};

/** The version of the API for programs. The dashboard and links of earlier releases leave it out. */
export const apiVersion = "/v1";

/** Maps a public URL to the path of a route, which doesn't know base paths. Health checks stay at the root. */
export const innerUrl = (config: Config) => {
  const { basePath, apiBaseUrl, assetsBaseUrl } = placesOf(config);
  return (url: string) => {
    const api = below(url, apiBaseUrl);
    if (api !== null) {
      const versioned = below(api, apiVersion);
      // The document of this version is the one for programs.
      if (versioned === "/openapi.json") return "/api/openapi/apps.json";
      return `/api${versioned ?? api}`;
    }
    const assets = below(url, assetsBaseUrl.slice(0, -1));
    if (assets !== null) return `/assets${assets}`;
    if (/^\/(healthz|readyz)(\?|$)/.test(url)) return url;
    const page = below(url, basePath);
    if (page === null || /^\/(api|assets)(\/|\?|$)/.test(page) || !isReadable(page)) return nowhere;
    return page.startsWith("/") ? page : `/${page}`;
  };
};
