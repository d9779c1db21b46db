import { expect, type Page } from "@playwright/test";
import { callApi, uniqueCode } from "../../data/api.ts";
import { changeUser, makeUser, type User } from "../../data/customers.ts";
import { test } from "../../fixtures/test.ts";
import { acceptLeaveDialogs, answerDraftOffer, waitUntilDraftLoaded } from "../../pages/drafts.ts";
import { recordWrites, summaryOf, toast } from "../../pages/forms.ts";

// @nightly: Every form shares the behavior that the gate checks on apps.

const field = (page: Page, name: string) =>
  page.locator("form").getByRole("textbox", { name, exact: true });
const external = (page: Page) => page.locator("form").getByRole("textbox", { name: "External ID" });
const choice = (page: Page, name: string) =>
  page.locator("form").getByRole("combobox", { name: new RegExp(`^${name}`) });

const openCreate = async (page: Page) => {
  await page.goto("/users/create");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("New user");
};

const openEdit = async (page: Page, { id, name }: User) => {
  await page.goto(`/users/edit/${id}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Edit ${name}`);
};

test("S2.28 FM1 An empty form lists every missing value and sends nothing @nightly", async ({
  ownerPage: page,
}) => {
  await openCreate(page);
  const writes = recordWrites(page, "/api/users");
  await page.getByRole("button", { name: "Create customer" }).click();
  await expect(field(page, "Name")).toBeFocused();
  await expect(summaryOf(page)).toContainText("Fix 2 errors to save your changes.");
  await expect(page.locator("form [aria-invalid=true]")).toHaveCount(2);
  expect(writes).toEqual([]);
});

test("S2.28 A customer is created with all contact details", async ({ ownerPage: page }) => {
  const code = uniqueCode("user");
  await openCreate(page);
  await field(page, "Name").fill("Noor Haddad");
  await field(page, "Email").fill(`${code}@example.com`);
  await external(page).fill(code);
  await choice(page, "Country").selectOption({ label: "Morocco" });
  await choice(page, "Language").selectOption({ label: "French" });
  await choice(page, "Time zone").selectOption("Africa/Casablanca");
  await page.getByRole("textbox", { name: /^First note/ }).fill("Came by the fair.");
  await page.keyboard.press("Control+s");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/Noor Haddad/);
  await expect(page.locator(".record-rail")).toContainText("Morocco");
  await expect(page.locator(".record-rail")).toContainText(code);
  await expect(page.locator(".record-rail")).toContainText("Came by the fair.");
});

test("S2.28 An email address in use names its customer at the field", async ({
  ownerPage: page,
}) => {
  const user = await makeUser(page);
  await openCreate(page);
  await field(page, "Name").fill("Another");
  await field(page, "Email").fill(user.email);
  await page.getByRole("button", { name: "Create customer" }).click();
  await expect(field(page, "Email")).toBeFocused();
  await expect(page.locator("form .mantine-InputWrapper-error")).toHaveText(
    `${user.name} (${user.number}) already has this email address. Open that user instead.`,
  );
});

test("S2.28 A team member is invited with a role, and the invitation is sent again from their page @nightly", async ({
  ownerPage: page,
  product,
}) => {
  const email = `${uniqueCode("staff")}@example.com`;
  await openCreate(page);
  await page.getByRole("radio", { name: /^Team member/ }).check();
  await field(page, "Name").fill("Ivo Invited");
  await field(page, "Email").fill(email);
  await page.getByRole("radio", { name: /^Finance/ }).check();
  await page.getByRole("button", { name: "Send invitation" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/Ivo Invited/);
  await expect(page.locator(".page-meta")).toHaveText("Invited");
  await product.mailbox.read(email);
  await page.reload();
  await expect(page.getByText(/^The invitation link works until/)).toBeVisible();
  await page.getByRole("button", { name: "Resend invitation" }).click();
  await expect(toast(page, `Invitation sent again to ${email}`)).toBeVisible();
  await product.mailbox.read(email);

  await page.getByRole("link", { name: "Edit" }).click();
  await page.getByRole("radio", { name: /^Viewer/ }).check();
  await page.getByRole("button", { name: "Save user" }).click();
  await toast(page, "saved").getByRole("button", { name: "View" }).click();
  await expect(page.locator(".page-facts")).toContainText("Viewer since");
});

test("S2.29 FM5 A changed field shows its previous value and is saved once @nightly", async ({
  ownerPage: page,
}) => {
  const user = await makeUser(page, { country: "PL" });
  await openEdit(page, user);
  const writes = recordWrites(page, "/api/users");
  await choice(page, "Country").selectOption({ label: "Iceland" });
  await expect(page.getByText("Previously Poland")).toBeVisible();
  await expect(page.getByRole("button", { name: /^1 unsaved change/ })).toBeVisible();
  await page.keyboard.press("Control+s");
  await expect(toast(page, "saved")).toBeVisible();
  expect(writes).toEqual([`PUT /api/users/${user.id}`]);
  const { country } = await callApi<User>(page, { path: `/users/${user.id}` });
  expect(country).toBe("IS");
});

test("S2.29 An external ID is set once and then locked @nightly", async ({ ownerPage: page }) => {
  const user = await makeUser(page);
  const code = uniqueCode("ext");
  await openEdit(page, user);
  await external(page).fill(code);
  await page.getByRole("button", { name: "Save user" }).click();
  await expect(toast(page, "saved")).toBeVisible();
  await page.reload();
  await expect(external(page)).toHaveValue(code);
  await expect(external(page)).not.toBeEditable();
});

test("S2.29 FM8 Changes saved by another user are merged field by field @nightly", async ({
  ownerPage: page,
  colleaguePage,
}) => {
  const user = await makeUser(page);
  await openEdit(page, user);
  await field(page, "Name").fill("Renamed here");
  await colleaguePage.goto("/");
  await changeUser(colleaguePage, user.id, { country: "PT" });
  await page.getByRole("button", { name: "Save user" }).click();
  await expect(toast(page, "saved")).toBeVisible();
  const stored = await callApi<User>(page, { path: `/users/${user.id}` });
  expect(stored).toMatchObject({ name: "Renamed here", country: "PT" });
});

test("S2.28 Unsaved input is offered after a reload and restored @nightly", async ({
  ownerPage: page,
}) => {
  acceptLeaveDialogs(page);
  await openCreate(page);
  await field(page, "Name").fill("Half typed");
  await waitUntilDraftLoaded(page, () => page.reload());
  await answerDraftOffer(page, "Restore");
  await expect(field(page, "Name")).toHaveValue("Half typed");
  await page.getByRole("button", { name: "Discard", exact: true }).click();
});
