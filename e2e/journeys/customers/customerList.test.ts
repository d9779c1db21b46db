import { expect, type Page } from "@playwright/test";
import { changeUser, makeUser, type User } from "../../data/customers.ts";
import { makeSellablePackage, sell } from "../../data/transactions.ts";
import { test as ofRoles, test } from "../../fixtures/test.ts";
import { toast } from "../../pages/forms.ts";
import { columnHeader, listQueryAfter, openList, rowNames, uniqueWord } from "../../pages/lists.ts";
import { waitForStream } from "../../pages/liveChanges.ts";

// @nightly: Every list and record page shares the behavior that the gate checks on apps.

const open = (page: Page, search: Parameters<typeof openList>[1]) =>
  openList(page, search, "/users");

const rowOf = (page: Page, { email }: Pick<User, "email">) =>
  page.getByRole("row").filter({ hasText: email });

const makeThree = async (page: Page) => {
  const word = uniqueWord();
  const users: User[] = [];
  for (const name of ["Ada", "Bea", "Cleo"])
    users.push(
      await makeUser(page, {
        name: `${name} ${word}`,
        email: `${name.toLowerCase()}.${word.toLowerCase()}@example.com`,
        externalId: `ext-${name}-${word}`,
      }),
    );
  return { word, users };
};

const expectedNames = (users: User[]) => users.map(({ name, email }) => `${name} ${email}`);

test("S2.27 LS1 LS3 Users are sorted by the server, and a shared URL shows the same rows to another user @nightly", async ({
  ownerPage: page,
  colleaguePage,
}) => {
  const { word, users } = await makeThree(page);
  await open(page, { q: word });
  const name = columnHeader(page, "User");
  for (const [sort, direction, rows] of [
    ["name", "ascending", expectedNames(users)],
    ["-name", "descending", expectedNames(users).toReversed()],
  ] as const) {
    const asked = await listQueryAfter(page, () => name.getByRole("button").click());
    expect(asked.get("sort")).toBe(sort);
    await expect(name).toHaveAttribute("aria-sort", direction);
    await expect(rowNames(page)).toHaveText(rows);
  }
  await colleaguePage.goto(page.url());
  await expect(rowNames(colleaguePage)).toHaveText(expectedNames(users).toReversed());
});

test("S2.27 A user is found by the start of email, external ID or number, and by part of the name", async ({
  ownerPage: page,
}) => {
  const { word, users } = await makeThree(page);
  const [ada] = users;
  if (!ada) throw new Error("Three were made.");
  await open(page, {});
  for (const typed of [
    ada.email.slice(0, -6),
    `EXT-ADA-${word}`,
    ada.number.toLowerCase(),
    `da ${word}`,
  ]) {
    await page.getByRole("searchbox", { name: "Search users" }).fill(typed);
    await expect(rowNames(page)).toHaveText([`${ada.name} ${ada.email}`]);
  }
});

test("S2.27 A row shows packages, renewal date and total paid, and the filters match them @nightly", async ({
  ownerPage: page,
}) => {
  const user = await makeUser(page, { country: "IS" });
  const pack = await makeSellablePackage(page);
  await sell(page, pack, { email: user.email });
  await open(page, { q: user.email });
  const row = rowOf(page, user);
  await expect(row).toContainText(pack.name);
  await expect(row).toContainText("12.00 EUR");
  await expect(row.locator("time")).toHaveCount(2);
  await open(page, { f: [`package:any:${pack.id}`, "country:any:IS", "status:any:active"] });
  await expect(rowNames(page)).toHaveText([`${user.name} ${user.email}`]);
  await expect(page.getByRole("button", { name: "Country is Iceland", exact: true })).toBeVisible();
  await expect(
    page.getByRole("button", { name: `Package is ${pack.name}`, exact: true }),
  ).toBeVisible();
});

test("S2.27 Customers and team members have separate tabs @nightly", async ({
  ownerPage: page,
  sharedOwner,
}) => {
  const user = await makeUser(page);
  await page.goto("/users");
  const views = page.getByRole("navigation", { name: "Views" });
  await views.getByRole("link", { name: /^Team/ }).click();
  await expect(rowOf(page, sharedOwner)).toContainText("Owner");
  await expect(rowOf(page, user)).toHaveCount(0);
  await views.getByRole("link", { name: /^Customers/ }).click();
  await expect(rowOf(page, user)).toBeVisible();
  await expect(rowOf(page, sharedOwner)).toHaveCount(0);
});

test("LS18 Several users are suspended at once with a list of consequences, and restored @nightly", async ({
  ownerPage: page,
}) => {
  const { word } = await makeThree(page);
  await open(page, { q: word });
  await page.getByRole("checkbox", { name: "Select all" }).check();
  const bar = page.getByRole("toolbar", { name: "Selected rows" });
  await bar.getByRole("button", { name: "Suspend 3" }).click();
  const dialog = page.getByRole("dialog", { name: "Suspend 3 users?" });
  await expect(dialog.getByRole("row", { name: /^Subscriptions canceled/ })).toContainText("0");
  await dialog.getByLabel("Reason").fill("Shared accounts.");
  await dialog.getByRole("button", { name: "Suspend 3 users" }).click();
  await expect(page.getByRole("row").filter({ hasText: "Suspended" })).toHaveCount(3);
  await toast(page, "3 users suspended").getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("row").filter({ hasText: "Suspended" })).toHaveCount(0);
});

test("LS23 Shortcuts open the user list and the new user form, and the palette finds a user by number @nightly", async ({
  ownerPage: page,
}) => {
  const user = await makeUser(page);
  await page.goto("/apps");
  await expect(page.getByRole("heading", { level: 1, name: "Apps" })).toBeVisible();
  await page.keyboard.press("g");
  await page.keyboard.press("u");
  await expect(page.getByRole("heading", { level: 1, name: "Users" })).toBeVisible();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search or jump to" }).fill(user.number);
  await page.getByRole("option", { name: user.name }).click();
  await expect(page).toHaveURL(`/users/view/${user.id}`);
  await page.goto("/users");
  await expect(rowNames(page).first()).toBeVisible();
  await page.keyboard.press("c");
  await expect(page).toHaveURL("/users/create");
});

test("S2.30 VW1 A customer page shows number, packages, payments, notes and history", async ({
  ownerPage: page,
  sharedOwner,
}) => {
  const user = await makeUser(page, { country: "PL", locale: "pl", note: "Wants invoices." });
  const pack = await makeSellablePackage(page);
  const sale = await sell(page, pack, { email: user.email });
  await page.goto(`/users/view/${user.id}`);
  await expect(page.locator(".page-facts")).toContainText(user.number);
  await expect(page.locator(".page-facts")).toContainText("Poland");
  const rail = page.locator(".record-rail");
  await expect(rail).toContainText(`${pack.name} monthly, version 1`);
  await expect(rail).toContainText(/Renews .* at 12\.00 EUR/);
  await expect(rail).toContainText("Polish");
  await expect(rail).toContainText("Wants invoices.");
  const strip = page.locator(".summary-strip");
  await expect(strip).toContainText(/Next payment\s*12\.00/);
  await expect(strip).toContainText(/Paid\s*12\.00 EUR\s*1 payment · none refunded/);
  const openTab = (name: RegExp) =>
    page.getByRole("navigation", { name: "Tabs" }).getByRole("link", { name }).click();
  await openTab(/^Notes 1$/);
  await expect(page.locator(".comments")).toContainText(`${sharedOwner.name}`);
  await expect(page.locator(".comments")).toContainText("Wants invoices.");
  await openTab(/^History$/);
  await expect(page.locator(".history > li").last()).toContainText("User created");

  await openTab(/^Payments 1$/);
  const paid = page.locator("section", { hasText: "View all transactions" });
  await paid.getByRole("link", { name: sale.number }).click();
  await expect(page).toHaveURL(`/transaction/view/${sale.id}`);
  await page.locator(".page-facts").getByRole("link", { name: user.name }).click();
  await expect(page).toHaveURL(`/users/view/${user.id}`);
  await openTab(/^Payments 1$/);
  await page.getByRole("link", { name: "View all transactions" }).click();
  await expect(
    page.getByRole("button", { name: `User is ${user.name}`, exact: true }),
  ).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: sale.number })).toBeVisible();
});

test("S2.30 A note is added and crossed out, and remains readable @nightly", async ({
  ownerPage: page,
}) => {
  const user = await makeUser(page);
  await page.goto(`/users/view/${user.id}`);
  await page.getByRole("link", { name: "Add note" }).click();
  await expect(page.getByRole("button", { name: "Add note" })).toBeDisabled();
  await page.getByRole("textbox", { name: "Add note" }).fill("Called twice.");
  await page.getByRole("button", { name: "Add note" }).click();
  await expect(page.locator(".comments > li")).toHaveCount(1);
  await page.getByRole("button", { name: "Cross out this note" }).click();
  await expect(page.locator(".comments del")).toHaveText("Called twice.");
  await expect(page.getByRole("button", { name: "Cross out this note" })).toHaveCount(0);
  await page.goto(`/users/view/${user.id}?tab=activity`);
  await expect(page.locator(".history > li").first()).toContainText("Note crossed out");
});

test("S2.30 A customer is suspended from their page and restored @nightly", async ({
  ownerPage: page,
}) => {
  const user = await makeUser(page);
  await page.goto(`/users/view/${user.id}`);
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Suspend…" }).click();
  const dialog = page.getByRole("dialog", { name: `Suspend ${user.name}?` });
  await dialog.getByRole("button", { name: "Suspend", exact: true }).click();
  await expect(page.locator(".page-meta")).toHaveText("Suspended");
  await page.getByRole("button", { name: "Reactivate" }).click();
  await expect(page.locator(".page-meta")).toHaveText("Active");
});

test("VW5 A change saved by another user appears within 3 s @nightly", async ({
  ownerPage: page,
  colleaguePage,
}) => {
  const user = await makeUser(page);
  const following = waitForStream(page);
  await page.goto(`/users/view/${user.id}`);
  await following;
  await colleaguePage.goto("/");
  await changeUser(colleaguePage, user.id, { name: "Renamed meanwhile" });
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/Renamed meanwhile/, {
    timeout: 3000,
  });
});

ofRoles(
  "T2 VW4 A role without access to team members can't find them @nightly",
  async ({ signInAs, ownerPage, sharedOwner, product }) => {
    const user = await makeUser(ownerPage);
    const { rows } = await product.database.query<{ id: string }>(
      "select id from users where email = $1",
      [sharedOwner.email],
    );
    const support = await signInAs("support", "Sam Support");
    await support.goto(`/users/view/${user.id}`);
    await expect(support.getByRole("link", { name: "Add note" })).toBeVisible();
    await openList(support, { q: sharedOwner.email }, "/users");
    await expect(rowNames(support)).toHaveCount(0);
    await support.goto(`/users/view/${rows[0]?.id}`);
    await expect(support.getByRole("heading", { level: 1 })).toHaveText("Page not found");
    await support.goto("/users");
    await expect(support.getByRole("navigation", { name: "Views" }).getByRole("link")).toHaveCount(
      1,
    );
    await support.goto("/users/create");
    await expect(support.getByRole("heading", { level: 1 })).toHaveText("New user");
    await expect(support.getByRole("radio")).toHaveCount(0);
  },
);
