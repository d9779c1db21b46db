import { expect, type Page, type Request } from "@playwright/test";
import { callApi } from "../data/api.ts";
import type { App } from "../data/apps.ts";
import { fieldOf, openEdit } from "./forms.ts";

/** The line above a form's fields that tells of what was typed and never saved. */
export const draftOffer = (page: Page) =>
  page.getByRole("status").filter({ hasText: "You have unsaved changes from" });

export const answerDraftOffer = (page: Page, name: "Restore" | "Throw away") =>
  draftOffer(page).getByRole("button", { name }).click();

const isDraftCall = (request: Request, method: string) =>
  request.url().includes("/api/drafts/") && request.method() === method;

/** Does something that tells the server about a draft, and waits for the answer. */
const waitForDraftCall = async (
  page: Page,
  method: "PUT" | "DELETE",
  act: () => Promise<unknown>,
) => {
  const told = page.waitForResponse((answer) => isDraftCall(answer.request(), method));
  await act();
  expect((await told).ok()).toBe(true);
};

export const waitUntilDraftSaved = (page: Page, act: () => Promise<unknown>) =>
  waitForDraftCall(page, "PUT", act);

export const waitUntilDraftDeleted = (page: Page, act: () => Promise<unknown>) =>
  waitForDraftCall(page, "DELETE", act);

/** When the next try to keep a draft gets nowhere. */
export const nextDraftSaveFailure = (page: Page) =>
  page.waitForEvent("requestfailed", (request) => isDraftCall(request, "PUT"));

/** Opens a form, or loads it anew, and waits until it has asked for a draft: then it is offered or not. */
export const waitUntilDraftLoaded = async (page: Page, act: () => Promise<unknown>) => {
  const ends = (request: Request) => isDraftCall(request, "GET");
  const asked = Promise.race([
    page.waitForEvent("requestfinished", ends),
    page.waitForEvent("requestfailed", ends),
  ]);
  await act();
  await asked;
};

export const openEditWithDraft = (page: Page, app: App) =>
  waitUntilDraftLoaded(page, () => openEdit(page, app));

/** Types into the form of an app until it is kept. */
export const typeDraft = async (page: Page, app: App, description = "Half a thought") => {
  await openEditWithDraft(page, app);
  await waitUntilDraftSaved(page, () => fieldOf(page, "description").fill(description));
};

export const draftName = ({ id }: App) => `apps-edit-${id}`;

/** Says yes whenever the browser asks whether to leave, and counts how often that was. */
export const acceptLeaveDialogs = (page: Page) => {
  const asked: string[] = [];
  page.on("dialog", async (question) => {
    asked.push(question.type());
    await question.accept();
  });
  return asked;
};

type Kept = { draft: { values: Record<string, unknown> } | null };

/** What the server has kept of a form for whoever is signed in on that page. */
export const savedDraftOf = async (page: Page, form: string) =>
  (await callApi<Kept>(page, { path: `/drafts/${form}` })).draft?.values ?? null;

/** Which drafts this browser holds by itself. */
export const localDraftsIn = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("purser:draft:")));
