import type { Page } from "@playwright/test";

/** The page's screens ask the API for everything themselves, as they do when no payload comes. */
export const withoutPayloads = (page: Page) =>
  page.route(
    (url) => url.pathname.endsWith("/_payload.json"),
    (route) => route.fulfill({ status: 503 }),
  );
