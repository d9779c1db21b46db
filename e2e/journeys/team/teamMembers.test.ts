import { expect, type Page } from "@playwright/test";
import { Secret, TOTP } from "otpauth";
import { findPasswordLink, newPerson, type Person } from "../../data/team.ts";
import { test } from "../../fixtures/test.ts";
import { accessibilityViolations, wcag } from "../../pages/accessibility.ts";
import { addPasskey, addVirtualAuthenticator } from "../../pages/passkeys.ts";
import { expectSignedIn, setPassword, signOut, submitCredentials } from "../../pages/signIn.ts";

// @nightly: The gate invites a colleague; sessions, removal and requirements are covered over HTTP.

/** The owner invites a colleague by email. */
const invite = async (page: Page, { email, name }: Person, role: string) => {
  await page.goto("/roles");
  await page.getByRole("button", { name: "Invite team member" }).click();
  const dialog = page.getByRole("dialog", { name: "Invite a team member" });
  await dialog.getByLabel("Email", { exact: true }).fill(email);
  await dialog.getByLabel("Name", { exact: true }).fill(name);
  await dialog.getByRole("radio", { name: new RegExp(`^${role}`) }).check();
  await dialog.getByRole("button", { name: "Send invitation" }).click();
  await expect(dialog).toBeHidden();
};

/** The owner opens a colleague from the list of roles. */
const openColleague = async (page: Page, { name }: Person) => {
  await page.goto("/roles");
  await page.getByRole("link", { name, exact: true }).click();
  await expect(page.getByRole("heading", { level: 2, name })).toBeVisible();
};

/** Sets up two-factor authentication on the account page and returns its secret. */
const setUpAuthenticator = async (page: Page) => {
  const section = page.locator("section", { hasText: "A code from your authenticator app" });
  await section.getByRole("button", { name: "Set up 2FA" }).click();
  await expect(section.getByText("Add this secret to your authenticator app")).toBeVisible();
  const secret = /[A-Z2-7]{32}/.exec(await section.innerText())?.[0] ?? "";
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  await section.getByLabel("Code from the app").fill(code);
  await section.getByRole("button", { name: "Turn on 2FA" }).click();
  await expect(section.getByRole("list", { name: "Recovery codes" })).toBeVisible();
  return secret;
};

test("An owner invites a colleague, who sets a password, a passkey and two-factor authentication, and sees the progress", async ({
  owner,
  page,
  browser,
  product,
}) => {
  const colleague = newPerson("Cora Colleague");
  await invite(page, colleague, "Finance");
  await openColleague(page, colleague);
  await expect(page.getByText("Invited", { exact: true })).toBeVisible();
  await expect(page.getByText(/Expires [A-Z]/)).toBeVisible();

  const theirs = await browser.newContext({ baseURL: product.origin });
  const there = await theirs.newPage();
  await setPassword(
    there,
    findPasswordLink(await product.mailbox.read(colleague.email)),
    colleague,
  );
  await expectSignedIn(there, colleague);
  await addVirtualAuthenticator(there);
  await there.goto("/account");
  await addPasskey(there, colleague, "Laptop");
  await expect(there.getByRole("list", { name: "Your passkeys" })).toContainText("Laptop");
  await setUpAuthenticator(there);
  await expect(there.getByRole("list", { name: "Active sessions" })).toContainText(
    "Chrome on Linux",
  );
  await expect(there.getByRole("list", { name: "Your sign-ins" })).toContainText("Signed in");
  await signOut(there);
  await there.getByRole("button", { name: "Use a passkey" }).click();
  await expectSignedIn(there, colleague);

  await openColleague(page, colleague);
  const rail = page.getByRole("complementary");
  await expect(rail.getByText("1 passkey")).toBeVisible();
  await expect(rail.getByRole("list", { name: "Active sessions" })).toContainText(
    "Chrome on Linux",
  );
  const signIns = rail.getByRole("list", { name: "Sign-ins" }).getByRole("listitem");
  await expect(signIns).toHaveCount(2);
  await expect(signIns.first()).toContainText("Passkey");
  await expect(signIns.last()).toContainText("New device");

  await rail.getByRole("button", { name: "Change role" }).click();
  const dialog = page.getByRole("dialog", { name: `Change the role of ${colleague.name}` });
  await dialog.getByRole("radio", { name: /^Viewer/ }).check();
  await expect(dialog.getByText("Loses 4 permissions")).toBeVisible();
  await expect(dialog.getByRole("row", { name: "Sessions ended 1" })).toBeVisible();
  await dialog.getByRole("button", { name: "Change role" }).click();
  await expect(rail.getByText("No active sessions.")).toBeVisible();
  await there.goto("/account");
  await expect(there.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await theirs.close();
  await expectSignedIn(page, owner);
});

test("An owner ends one session, then all, and removes the team member @nightly", async ({
  owner,
  page,
  browser,
  product,
}) => {
  const colleague = newPerson("Dana Deckhand");
  await invite(page, colleague, "Support");
  const contexts = [];
  for (const [place, link] of [await product.mailbox.read(colleague.email), null, null].entries()) {
    const context = await browser.newContext({ baseURL: product.origin });
    const there = await context.newPage();
    if (link !== null) await setPassword(there, findPasswordLink(link), colleague);
    else {
      await there.goto("/login");
      await submitCredentials(there, colleague);
    }
    await expectSignedIn(there, colleague);
    contexts[place] = context;
  }
  await openColleague(page, colleague);
  const rail = page.getByRole("complementary");
  const sessions = rail.getByRole("list", { name: "Active sessions" }).getByRole("listitem");
  await expect(sessions).toHaveCount(3);
  await sessions
    .first()
    .getByRole("button", { name: /^End session on Chrome on Linux/ })
    .click();
  await expect(sessions).toHaveCount(2);
  await rail.getByRole("button", { name: "End all" }).click();
  const ending = page.getByRole("dialog", { name: `End all sessions of ${colleague.name}?` });
  await expect(ending.getByRole("row", { name: "Sessions ended 2" })).toBeVisible();
  await ending.getByRole("button", { name: "End all sessions" }).click();
  await expect(rail.getByText("No active sessions.")).toBeVisible();
  await rail.getByRole("button", { name: "Remove", exact: true }).click();
  const removing = page.getByRole("alertdialog", {
    name: `Remove ${colleague.name} from the team?`,
  });
  await removing.getByRole("button", { name: "Remove", exact: true }).click();
  await expect(removing).toBeHidden();
  await page.getByRole("link", { name: "All team members" }).click();
  await expect(page.getByRole("link", { name: colleague.name })).toHaveCount(0);
  for (const context of contexts) await context?.close();
  await expectSignedIn(page, owner);
});

test("The account page renames passkeys and the user, and ends another session @nightly", async ({
  owner,
  page,
  browser,
  product,
}) => {
  // Before the account has a passkey, which every later sign-in needs.
  const other = await browser.newContext({ baseURL: product.origin });
  const there = await other.newPage();
  await there.goto("/login");
  await submitCredentials(there, owner);
  await expectSignedIn(there, owner);

  await addVirtualAuthenticator(page);
  await page.goto("/account");
  await addPasskey(page, owner, "Phone");
  await page.getByRole("button", { name: "Rename Phone" }).click();
  const dialog = page.getByRole("dialog", { name: "Rename the passkey Phone" });
  await dialog.getByLabel("Passkey name").fill("Old phone");
  await dialog.getByRole("button", { name: "Rename passkey" }).click();
  await expect(page.getByRole("list", { name: "Your passkeys" })).toContainText("Old phone");

  const devices = page.getByRole("list", { name: "Active sessions" }).getByRole("listitem");
  await expect(devices).toHaveCount(2);
  await page.getByRole("button", { name: /^End session on/ }).click();
  await expect(devices).toHaveCount(1);
  await there.goto("/");
  await expect(there.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await other.close();

  await page.getByLabel("Display name").fill("Olga Renamed");
  await page.getByRole("button", { name: "Save name" }).click();
  await expectSignedIn(page, { ...owner, name: "Olga Renamed" });
});

test("SH10 The roles and the account page have no accessibility violations in light and dark @nightly", async ({
  ownerPage,
}) => {
  for (const colorScheme of ["light", "dark"] as const) {
    await ownerPage.emulateMedia({ colorScheme });
    for (const path of ["/roles", "/account"]) {
      await ownerPage.goto(path);
      await expect(ownerPage.getByRole("heading", { level: 1 })).toBeVisible();
      await expect(ownerPage.getByRole("heading", { level: 2 }).first()).toBeVisible();
      expect(await accessibilityViolations(ownerPage, wcag)).toEqual([]);
    }
  }
});

test("A user without required two-factor authentication is reminded on every page, then has to set it up @nightly", async ({
  owner,
  page,
  product,
}) => {
  const decide = (days: number, roles: string[]) =>
    product.database.query(
      "update settings set second_factor_roles = $1, second_factor_grace_days = $2",
      [roles, days],
    );
  try {
    await decide(7, ["owner"]);
    for (const path of ["/", "/apps", "/account"]) {
      await page.goto(path);
      await expect(
        page.getByText(/Your role requires two-factor authentication\. Set it up before/),
      ).toBeVisible();
    }
    await page.goto("/apps");
    await expect(page.getByRole("link", { name: "Set up", exact: true })).toBeVisible();
    await decide(0, ["owner"]);
    await page.getByRole("link", { name: "Packages", exact: true }).first().click();
    await expect(page).toHaveURL(/\/account$/);
    await page.goto("/apps");
    await expect(page).toHaveURL(/\/account$/);
    await expect(page.getByRole("heading", { name: "Sign-ins" })).toHaveCount(0);
    await addVirtualAuthenticator(page);
    await addPasskey(page, owner, "Laptop");
    await expect(page.getByText(/Your role requires two-factor authentication/)).toHaveCount(0);
    await page.goto("/apps");
    await expect(page.getByRole("heading", { level: 1, name: "Apps" })).toBeVisible();
  } finally {
    await decide(7, []);
  }
});
