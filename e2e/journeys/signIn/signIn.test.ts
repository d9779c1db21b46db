import { expect, type Page } from "@playwright/test";
import { Secret, TOTP } from "otpauth";
import { createOwner, findPasswordLink, newPerson } from "../../data/team.ts";
import { test } from "../../fixtures/test.ts";
import { expectSignedIn, setPassword, signOut, submitCredentials } from "../../pages/signIn.ts";

// @nightly: The gate covers password and two-factor authentication; resets are covered over HTTP, and invitations by the team's journey.

/** Types a code from the first box on, over the previous digits. */
const giveCode = async (page: Page, code: string) => {
  await page.getByLabel("Digit 1 of 6").click();
  await page.keyboard.type(code);
  await page.getByRole("button", { name: "Continue" }).click();
};

test("S1.1 A new browser is redirected to sign-in @nightly", async ({ page }) => {
  await page.goto("/");
  await expect(page.getByRole("heading", { name: "Sign in", exact: true })).toBeVisible();
  await expect(page).toHaveURL("/login");
  await expect(page.getByLabel("Email", { exact: true })).toBeFocused();
});

test("S2.5 The create-owner link sets a password that signs in and keeps the session", async ({
  page,
  product,
}) => {
  const owner = newPerson("Olga Owner");
  const link = await createOwner(product, owner);
  await setPassword(page, link, owner);
  await expectSignedIn(page, owner);
  await expect(page).toHaveURL("/");
  await page.goto("/login");
  await expectSignedIn(page, owner);
  await expect(page).toHaveURL("/");
  await signOut(page);
  await page.goto("/");
  await expect(page).toHaveURL("/login");
  await page.goto(link);
  await expect(page.getByRole("alert")).toContainText("This link has expired or was already used");
});

test("S2.5 A wrong password shows an alert and keeps focus and email @nightly", async ({
  page,
  owner,
}) => {
  await signOut(page);
  const mail = page.getByLabel("Email", { exact: true });
  const password = page.getByLabel("Password", { exact: true });
  await mail.fill(owner.email);
  await password.fill("not the password");
  await password.press("Enter");
  await expect(page.getByRole("alert")).toHaveText("Incorrect email or password.");
  await expect(password).toBeFocused();
  await expect(mail).toHaveValue(owner.email);
  await expect(password).toHaveValue("not the password");

  // Also after a click on the button, because the password has to be corrected.
  const answered = page.waitForResponse("**/api/session");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  expect((await answered).status()).toBe(401);
  await expect(page.getByRole("alert")).toHaveText("Incorrect email or password.");
  await expect(password).toBeFocused();
  await expect(mail).toHaveValue(owner.email);
});

test("T17 Two-factor authentication is set up and required at the next sign-in, and recovery codes work", async ({
  page,
  owner,
}) => {
  await page.goto("/account");
  const setUp = page.locator("form", { hasText: "Set up 2FA" });
  await setUp.getByRole("button", { name: "Set up 2FA" }).click();
  const confirm = page.locator("form", { hasText: "Add this secret to your authenticator app" });
  const secret = await confirm.getByText(/^[A-Z2-7]{16,}$/).innerText();
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const used = totp.generate();
  await expect(page.getByLabel("Code from the app")).toBeFocused();
  await page.getByLabel("Code from the app").fill(used);
  await page.getByRole("button", { name: "Turn on 2FA" }).click();
  const codes = page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem");
  await expect(codes).toHaveCount(10);
  const [recoveryCode = ""] = await codes.allInnerTexts();
  await page.getByRole("button", { name: "I've saved them" }).click();
  await expect(page.getByText("Two-factor authentication is on")).toBeFocused();
  await expect(page.getByText(recoveryCode)).toHaveCount(0);
  await signOut(page);

  await submitCredentials(page, owner);
  await expect(page.getByRole("heading", { name: "Enter the 6-digit code" })).toBeVisible();
  await expect(page.getByLabel("Digit 1 of 6")).toBeFocused();
  await giveCode(page, used);
  await expect(page.getByRole("alert")).toContainText(
    "This code is incorrect or was already used.",
  );
  // A code is good once. The next one is already accepted, because clocks differ.
  await giveCode(page, totp.generate({ timestamp: Date.now() + 30_000 }));
  await expectSignedIn(page, owner);
  await signOut(page);

  await submitCredentials(page, owner);
  await page.getByRole("button", { name: "Use a recovery code" }).click();
  await expect(page.getByLabel("Recovery code")).toBeFocused();
  await page.getByLabel("Recovery code").fill(` ${recoveryCode.toUpperCase()} `);
  await page.getByRole("button", { name: "Continue" }).click();
  await expectSignedIn(page, owner);
});

test("S0.2 An emailed invitation lets the invited team member sign in @nightly", async ({
  page,
  owner,
  product,
  browser,
}) => {
  const invited = newPerson("Ines Invited");
  const status = await page.evaluate(
    async ({ email, name }) => {
      const answer = await fetch("/api/team", {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "idempotency-key": crypto.randomUUID(),
        },
        body: JSON.stringify({ email, name, role: "viewer" }),
      });
      return answer.status;
    },
    { email: invited.email, name: invited.name },
  );
  expect(status).toBe(201);

  const text = await product.mailbox.read(invited.email);
  const elsewhere = await browser.newContext({ baseURL: product.origin });
  const theirs = await elsewhere.newPage();
  await setPassword(theirs, findPasswordLink(text), invited);
  await expectSignedIn(theirs, invited);
  await elsewhere.close();
  await page.reload();
  await expectSignedIn(page, owner);
});

test("T13 A forgotten password is reset by an emailed link, and signing out everywhere ends all sessions @nightly", async ({
  page,
  owner,
  product,
  browser,
}) => {
  await signOut(page);
  await page.getByRole("button", { name: "Forgot password?" }).click();
  await page.getByLabel("Email", { exact: true }).fill(owner.email);
  await page.getByRole("button", { name: "Send link" }).click();
  await expect(page.locator("#main").getByRole("status")).toHaveText(
    `If ${owner.email} has an account, we sent a link to set a new password.`,
  );
  const renewed = { ...owner, password: `${owner.password} again` };
  await setPassword(page, findPasswordLink(await product.mailbox.read(owner.email)), renewed);
  await expectSignedIn(page, renewed);

  const elsewhere = await browser.newContext({ baseURL: product.origin });
  const other = await elsewhere.newPage();
  await other.goto("/login");
  await submitCredentials(other, renewed);
  await expectSignedIn(other, renewed);
  await page.goto("/account");
  await page.getByRole("button", { name: "Sign out everywhere" }).click();
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await other.reload();
  await expect(other.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await elsewhere.close();
});
