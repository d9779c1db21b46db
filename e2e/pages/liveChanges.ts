import type { Page } from "@playwright/test";

/** The URL of the stream of changes. */
export const streamOfChanges = /\/api\/events(\?|$)/;

/** Resolves once the page receives the changes of others. */
export const waitForStream = (page: Page) => page.waitForResponse(streamOfChanges);
