import { chromium, type Page } from "@playwright/test";
import { Secret, TOTP } from "otpauth";
import type { Person } from "../data/team.ts";
import { expectSignedIn, setPassword, submitCredentials } from "../pages/signIn.ts";
import config from "../playwright.config.ts";

/** A new workspace requires two-factor authentication of everyone. */
const setUpTwoFactor = async (page: Page, { password }: Person) => {
  await page.getByRole("button", { name: "Set up 2FA" }).click();
  await page.getByRole("dialog").getByLabel("Your password", { exact: true }).fill(password);
  await page.keyboard.press("Enter");
  const form = page.locator("form", { hasText: "Add this secret to your authenticator app" });
  const secret = Secret.fromBase32(await form.getByText(/^[A-Z2-7]{16,}$/).innerText());
  const app = new TOTP({ secret });
  await page.getByLabel("Code from the app").fill(app.generate());
  await page.getByRole("button", { name: "Turn on 2FA" }).click();
  await page.getByRole("button", { name: "I've saved them" }).click();
  await page.getByText("Two-factor authentication is on").waitFor();
  return app;
};

const signIn = async (page: Page, owner: Person, app: TOTP) => {
  await page.goto("/login");
  await submitCredentials(page, owner);
  await page.getByLabel("Digit 1 of 6").click();
  // A code is good once. The next one is already accepted, because clocks differ.
  await page.keyboard.type(app.generate({ timestamp: Date.now() + 30_000 }));
  await page.getByRole("button", { name: "Continue" }).click();
};

/** Signs in with the link or on the login page, and opens the transactions. Returns the authenticator app. */
export const useBrowser = async (
  origin: string,
  owner: Person,
  by: { link: string } | { app: TOTP },
) => {
  const browser = await chromium.launch(config.use?.launchOptions);
  const page = await browser.newPage({ baseURL: origin, locale: "en-US" });
  try {
    if ("link" in by) await setPassword(page, by.link, owner);
    else await signIn(page, owner, by.app);
    await expectSignedIn(page, owner);
    const app = "app" in by ? by.app : await setUpTwoFactor(page, owner);
    await page.goto("/transaction");
    await page.getByRole("row").nth(1).waitFor();
    return { app, rows: await page.getByRole("row").count() };
  } catch (error) {
    throw new Error(`${page.url()} shows:\n${await page.locator("body").innerText()}`, {
      cause: error,
    });
  } finally {
    await browser.close();
  }
};
