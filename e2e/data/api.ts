import { randomBytes } from "node:crypto";
import type { Page } from "@playwright/test";

export const uniqueCode = (start = "app") => `${start}-${randomBytes(5).toString("hex")}`;

type Call = { method?: string; path: string; body?: unknown; version?: number };

/** Calls the API from the page, as its signed-in user. */
export const callApi = async <Reply = unknown>(page: Page, call: Call): Promise<Reply> => {
  if (!page.url().startsWith("http")) await page.goto("/login");
  return page.evaluate(async ({ method = "GET", path, body, version }) => {
    const request = {
      method,
      headers: {
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(method === "POST" && { "idempotency-key": crypto.randomUUID() }),
        ...(version !== undefined && { "if-match": `"${version}"` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    };
    let response = await fetch(`/api${path}`, request);
    // A busy server returns 503 with Retry-After, which must not fail a test.
    for (let tries = 0; response.status === 503 && tries < 5; tries += 1) {
      const seconds = Number(response.headers.get("retry-after") ?? 1);
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
      response = await fetch(`/api${path}`, request);
    }
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text ? JSON.parse(text) : null;
  }, call) as Promise<Reply>;
};
