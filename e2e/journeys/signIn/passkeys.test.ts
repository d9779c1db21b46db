import { expect, type Page, type Response } from "@playwright/test";
import { test } from "../../fixtures/test.ts";
import { addPasskey, addVirtualAuthenticator } from "../../pages/passkeys.ts";
import { expectSignedIn, signOut } from "../../pages/signIn.ts";

// @nightly: The gate signs in with a passkey; refusals are covered over HTTP.

const passkeyIn = (page: Page, name: string) =>
  page.getByRole("list", { name: "Your passkeys" }).getByRole("listitem").filter({ hasText: name });

const usePasskey = (page: Page) => page.getByRole("button", { name: "Use a passkey" }).click();

/** Makes the browser ask its authenticator for less than the server wants. */
const discourageVerification = (page: Page, address: string, change: (options: Options) => void) =>
  page.route(address, async (route) => {
    const response = await route.fetch();
    const json: { challenge: string; options: Options } = await response.json();
    change(json.options);
    await route.fulfill({ response, json });
  });

type Options = {
  userVerification?: string;
  authenticatorSelection?: { userVerification?: string };
};

const verifiedFlag = 0b0000_0100;
/** The flags follow the 32 bytes of the site's hash. */
const isVerified = (authenticatorData: string) =>
  ((Buffer.from(authenticatorData, "base64url")[32] ?? 0) & verifiedFlag) !== 0;

/** The browser sent a response without user verification, and the server rejected it. */
const expectUnverifiedRefused = async (page: Page, answer: Response) => {
  const sent: { response: { response: { authenticatorData: string } } } = answer
    .request()
    .postDataJSON();
  expect(isVerified(sent.response.response.authenticatorData)).toBe(false);
  expect(answer.status()).toBe(401);
  await expect(page.getByRole("alert")).toContainText("Purser couldn't verify this passkey.");
};

test("T18 A passkey is added and signs in with Chromium's virtual authenticator", async ({
  page,
  owner,
}) => {
  await addVirtualAuthenticator(page);
  await page.goto("/account");
  await expect(page.getByText("No passkeys yet.")).toBeVisible();
  await addPasskey(page, owner, "Laptop");
  await expect(passkeyIn(page, "Laptop")).toBeVisible();
  await expect(page.getByLabel("Passkey name")).toHaveValue("");
  await expect(page.getByRole("button", { name: "Add passkey" })).toBeFocused();

  await addPasskey(page, owner, "Laptop once more");
  await expect(page.getByRole("alert")).toHaveText("You already have a passkey on this device.");

  for (const _ of ["once", "again"]) {
    await signOut(page);
    await usePasskey(page);
    await expectSignedIn(page, owner);
  }
  await page.goto("/account");
  await expectSignedIn(page, owner);
  await expect(passkeyIn(page, "Laptop")).toHaveCount(1);
});

test("T18 An assertion without user verification is rejected @nightly", async ({
  page,
  owner,
  product,
}) => {
  const authenticator = await addVirtualAuthenticator(page);
  await page.goto("/account");
  await addPasskey(page, owner, "Laptop");
  await expect(passkeyIn(page, "Laptop")).toBeVisible();
  await signOut(page);

  await authenticator.verifyUser(false);
  await discourageVerification(page, "**/api/session/passkey/start", (options) => {
    expect(options.userVerification).toBe("required");
    options.userVerification = "discouraged";
  });
  const answered = page.waitForResponse("**/api/session/passkey");
  await usePasskey(page);
  await expectUnverifiedRefused(page, await answered);
  const { rows } = await product.database.query(
    "select from sessions s join users u on u.id = s.user_id where u.email = $1",
    [owner.email],
  );
  expect(rows).toHaveLength(0);

  // The same passkey signs in once the user is verified, so nothing else was wrong.
  await authenticator.verifyUser(true);
  await page.unroute("**/api/session/passkey/start");
  await usePasskey(page);
  await expectSignedIn(page, owner);
});

test("T18 A passkey created without user verification is rejected @nightly", async ({
  page,
  owner,
  product,
}) => {
  await addVirtualAuthenticator(page, { canVerify: false });
  await page.goto("/account");
  await discourageVerification(page, "**/api/passkeys/start", (options) => {
    expect(options.authenticatorSelection?.userVerification).toBe("required");
    if (options.authenticatorSelection)
      options.authenticatorSelection.userVerification = "discouraged";
  });
  const answered = page.waitForResponse(
    (response) =>
      response.url().endsWith("/api/passkeys") && response.request().method() === "POST",
  );
  await addPasskey(page, owner, "Laptop");
  await expectUnverifiedRefused(page, await answered);
  const { rows } = await product.database.query(
    "select from passkeys p join users u on u.id = p.user_id where u.email = $1",
    [owner.email],
  );
  expect(rows).toHaveLength(0);
});
