import { expect, type Page, type Request } from "@playwright/test";
import { callApi } from "../data/api.ts";
import type { App } from "../data/apps.ts";
import { fieldOf, openEdit } from "./forms.ts";

/** The banner above a form that offers unsaved input. */
export const draftOffer = (page: Page) =>
  page.getByRole("status").filter({ hasText: "You have unsaved changes from" });

export const answerDraftOffer = (page: Page, name: "Restore" | "Discard") =>
  draftOffer(page).getByRole("button", { name }).click();

const isDraftCall = (request: Request, method: string) =>
  request.url().includes("/api/drafts/") && request.method() === method;

/** Does something that calls the drafts API and waits for the response. */
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

/** Resolves when the next save of a draft fails. */
export const nextDraftSaveFailure = (page: Page) =>
  page.waitForEvent("requestfailed", (request) => isDraftCall(request, "PUT"));

/** Opens or reloads a form and waits until its draft was requested. After that it is offered or not. */
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

/** Accepts every browser dialog before leaving, and returns their types. */
export const acceptLeaveDialogs = (page: Page) => {
  const asked: string[] = [];
  page.on("dialog", async (question) => {
    asked.push(question.type());
    await question.accept();
  });
  return asked;
};

type Kept = { draft: { values: Record<string, unknown> } | null };

/** The draft of a form on the server, for the page's signed-in user. */
export const savedDraftOf = async (page: Page, form: string) =>
  (await callApi<Kept>(page, { path: `/drafts/${form}` })).draft?.values ?? null;

/** The keys of drafts in this browser's local storage. */
export const localDraftsIn = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("purser:draft:")));
