import { expect, type Page } from "@playwright/test";
import { newPerson } from "../../data/team.ts";
import { test } from "../../fixtures/test.ts";
import { expectSignedIn, submitCredentials } from "../../pages/signIn.ts";
import { heading, openLogin } from "./loginForm.ts";

// @nightly: The gate covers the guard, one redirect and a wrong password; this is a variant.

const mailField = (page: Page) => page.getByLabel("Email", { exact: true });
const passwordField = (page: Page) => page.getByLabel("Password", { exact: true });
const showButton = (page: Page) => page.getByRole("button", { name: "Show password" });
const signInButton = (page: Page) => page.getByRole("button", { name: "Sign in", exact: true });

test("LG2 Email and password can be pasted to sign in @nightly", async ({
  page,
  context,
  sharedOwner,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openLogin(page);
  const paste = async (text: string) => {
    await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
    await page.keyboard.press("Control+v");
  };
  await mailField(page).focus();
  await paste(sharedOwner.email);
  await expect(mailField(page)).toHaveValue(sharedOwner.email);
  await passwordField(page).focus();
  await paste(sharedOwner.password);
  await expect(passwordField(page)).toHaveValue(sharedOwner.password);
  await page.keyboard.press("Enter");
  await expectSignedIn(page, sharedOwner);
});

test("LG2 A password manager identifies both fields and can fill them without key events @nightly", async ({
  page,
  sharedOwner,
}) => {
  await openLogin(page);
  await expect(mailField(page)).toHaveAttribute("autocomplete", /^username( webauthn)?$/);
  await expect(mailField(page)).toHaveAttribute("type", "email");
  await expect(passwordField(page)).toHaveAttribute("autocomplete", "current-password");
  await expect(passwordField(page)).toHaveAttribute("type", "password");
  // Both fields are in one form that is submitted.
  await page.evaluate(({ email, password }) => {
    const fill = (field: HTMLInputElement | null, value: string) => {
      if (!field) throw new Error("There is no such field.");
      field.value = value;
      field.dispatchEvent(new Event("input", { bubbles: true }));
      field.dispatchEvent(new Event("change", { bubbles: true }));
      return field.form;
    };
    const find = (purpose: string) =>
      document.querySelector<HTMLInputElement>(`input[autocomplete~="${purpose}"]`);
    const form = fill(find("username"), email);
    if (fill(find("current-password"), password) !== form) throw new Error("Two forms.");
    form?.requestSubmit();
  }, sharedOwner);
  await expectSignedIn(page, sharedOwner);
});

test("LG4 A wrong password and an unknown email show the same alert and focus the password", async ({
  page,
  sharedOwner,
}) => {
  for (const { email } of [sharedOwner, newPerson("Nobody")]) {
    await openLogin(page);
    await mailField(page).fill(email);
    await passwordField(page).fill("not the password");
    await signInButton(page).click();
    await expect(page.getByRole("alert")).toHaveText("Incorrect email or password.");
    await expect(passwordField(page)).toBeFocused();
    await expect(passwordField(page)).toHaveValue("not the password");
    await expect(mailField(page)).toHaveValue(email);
    await expect(page).toHaveURL("/login");
  }
  // The alert disappears with the next attempt.
  await submitCredentials(page, sharedOwner);
  await expectSignedIn(page, sharedOwner);
});

test("LG4 After five failed attempts sign-in is delayed, whether the email is known or not @nightly", async ({
  page,
  owner,
  browser,
  product,
}) => {
  await expectSignedIn(page, owner);
  const texts: string[] = [];
  for (const email of [owner.email, newPerson("Nobody").email]) {
    // A browser that the owner never used, because a known one has its own attempts.
    const context = await browser.newContext({ baseURL: product.origin });
    const stranger = await context.newPage();
    await openLogin(stranger);
    for (let tries = 0; tries < 5; tries += 1) {
      const answered = stranger.waitForResponse("**/api/session");
      await submitCredentials(stranger, { ...owner, email, password: `guess ${tries}` });
      expect((await answered).status()).toBe(401);
      await expect(stranger.getByRole("alert")).toHaveText("Incorrect email or password.");
    }
    const answered = stranger.waitForResponse("**/api/session");
    await submitCredentials(stranger, { ...owner, email });
    expect((await answered).status()).toBe(429);
    const alert = stranger.getByRole("alert");
    await expect(alert).toHaveText(/^Too many attempts\. Try again in (2\d|30) s\.$/);
    texts.push((await alert.innerText()).replace(/\d+/, "N"));
    // It counts down.
    const secondsLeft = async () => Number(/\d+/.exec(await alert.innerText())?.[0]);
    const first = await secondsLeft();
    await expect.poll(secondsLeft).toBeLessThan(first);
    await expect(passwordField(stranger)).toBeFocused();
    await context.close();
  }
  expect(new Set(texts).size).toBe(1);
});

test("LG5 Tab moves from email to password, to its visibility button, to Sign in @nightly", async ({
  page,
}) => {
  await openLogin(page);
  await expect(mailField(page)).toBeFocused();
  await page.keyboard.type("somebody@example.com");
  const order = [passwordField(page), showButton(page), signInButton(page)];
  for (const next of order) {
    await page.keyboard.press("Tab");
    await expect(next).toBeFocused();
  }
  // The button between them works by key, too.
  await passwordField(page).fill("walnut ferry");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  await expect(passwordField(page)).toHaveAttribute("type", "text");
  await expect(showButton(page)).toHaveAttribute("aria-pressed", "true");
  await page.keyboard.press("Space");
  await expect(passwordField(page)).toHaveAttribute("type", "password");
});

for (const { what, viewport } of [
  { what: "at 320 pixels", viewport: { width: 320, height: 640 } },
  { what: "at 400 % zoom", viewport: { width: 360, height: 225 } },
])
  test.describe(what, () => {
    test.use({ viewport });

    test(`LG6 The login page is usable ${what} without horizontal scrolling @nightly`, async ({
      page,
      sharedOwner,
    }) => {
      const sideways = () =>
        page.evaluate(() => {
          const { scrollWidth = 0, clientWidth = 0 } = document.scrollingElement ?? {};
          return Math.max(scrollWidth, document.body.scrollWidth) - clientWidth;
        });
      await openLogin(page);
      expect(await sideways()).toBe(0);
      const parts = [
        mailField(page),
        passwordField(page),
        showButton(page),
        signInButton(page),
        page.getByRole("button", { name: "Forgot password?" }),
        page.getByRole("button", { name: "Use a passkey" }),
        page.getByText("Your activity is logged."),
      ];
      for (const part of parts) {
        await part.scrollIntoViewIfNeeded();
        await expect(part).toBeInViewport({ ratio: 0.99 });
        // Nothing lies over it.
        await part.click({ trial: true });
      }
      await passwordField(page).fill("not the password");
      await mailField(page).fill(newPerson("Nobody").email);
      await mailField(page).press("Enter");
      await expect(page.getByRole("alert")).toBeVisible();
      await expect(passwordField(page)).toBeInViewport({ ratio: 0.99 });
      expect(await sideways()).toBe(0);
      await page.getByRole("button", { name: "Forgot password?" }).click();
      await expect(heading(page, "Forgot password")).toBeVisible();
      expect(await sideways()).toBe(0);
      await page.getByRole("button", { name: "Back to sign in" }).click();
      await submitCredentials(page, sharedOwner);
      await expectSignedIn(page, sharedOwner);
    });
  });

test("LG7 The login page needs at most 170 kB of gzipped JavaScript @nightly", async ({ page }) => {
  const encodings = new Set<string | undefined>();
  // The browser's preferred encoding is smaller, but the budget is for gzip.
  await page.setExtraHTTPHeaders({ "accept-encoding": "gzip" });
  page.on("response", (response) => {
    if (response.url().endsWith(".js")) encodings.add(response.headers()["content-encoding"]);
  });
  await openLogin(page);
  await expect(mailField(page)).toBeFocused();
  const sizes = await page.evaluate(() =>
    performance
      .getEntriesByType("resource")
      .filter(({ name }) => new URL(name).pathname.endsWith(".js"))
      .map((entry) => (entry as PerformanceResourceTiming).encodedBodySize),
  );
  expect([...encodings]).toEqual(["gzip"]);
  expect(sizes.length).toBeGreaterThan(1);
  expect(Math.min(...sizes)).toBeGreaterThan(0);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  expect(total).toBeGreaterThan(50_000);
  expect(total).toBeLessThanOrEqual(170_000);
});
