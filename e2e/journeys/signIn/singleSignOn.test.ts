import { expect, type Page, test } from "@playwright/test";
import { openIdentityProvider } from "../../../server/src/platform/auth/sso/identityProvider.testing.ts";
import { createOwner, newPerson } from "../../data/team.ts";
import { type Product, startProduct } from "../../environment/product.ts";
import { expectSignedIn, setPassword, signOut, submitCredentials } from "../../pages/signIn.ts";

// @nightly: The gate signs in once through the provider; refusals are covered over HTTP.

type Provider = Awaited<ReturnType<typeof openIdentityProvider>>;

let product: Product;
let provider: Provider;

test.describe.configure({ mode: "serial" });

test.beforeAll(async () => {
  provider = await openIdentityProvider(() => `${product.origin}/login`);
  product = await startProduct(provider.environment);
  await product.database.query("update settings set sign_in_groups = $1", [
    JSON.stringify([{ group: "office-finance", role: "finance" }]),
  ]);
});
test.afterAll(async () => {
  await product.stop();
  await provider.close();
});

const jo = newPerson("Jo Harbour");

const known = (groups: string[]) =>
  provider.people.set("jo", { email: jo.email, email_verified: true, name: jo.name, groups });

/** The provider's own page asks for the identity. */
const signInThere = async (page: Page) => {
  await page.getByPlaceholder("Enter any login").fill("jo");
  await page.getByPlaceholder("and password").fill("any");
  await page.getByRole("button", { name: "Sign-in" }).click();
};

const start = async (page: Page, path: string) => {
  await page.goto(`${product.origin}${path}`);
  await page.getByRole("button", { name: "Sign in with Northquay" }).click();
};

test("A team member signs in with SSO, gets the role of their group and returns to the requested page", async ({
  page,
}) => {
  known(["office-finance"]);
  await start(page, "/transaction?sort=-total");
  await signInThere(page);
  await expectSignedIn(page, jo);
  await expect(page).toHaveURL(`${product.origin}/transaction?sort=-total`);
  await page.goto(`${product.origin}/account`);
  await expect(page.getByText("Finance", { exact: true }).first()).toBeVisible();
  await expect(page.getByRole("list", { name: "Your sign-ins" })).toContainText("Single sign-on");
  await expect(page.getByRole("heading", { name: "Password" })).toHaveCount(0);
  // The sign-in is recent: nothing asks for another proof.
  await page.getByRole("button", { name: "Set up 2FA" }).click();
  await expect(page.getByLabel("Code from the app")).toBeVisible();
});

test("A user without a mapped group gets an explanation and can try another way @nightly", async ({
  page,
}) => {
  known(["somewhere else"]);
  await start(page, "/login");
  await signInThere(page);
  await expect(page.getByRole("alert")).toContainText("None of your groups has access to Purser");
  await page.getByRole("button", { name: "Back to sign in" }).click();
  await expect(page.getByRole("button", { name: "Sign in with Northquay" })).toBeVisible();
  await expect(page).toHaveURL(`${product.origin}/login`);
});

test("Without password sign-in the login shows only SSO, and the operator's link still works @nightly", async ({
  page,
}) => {
  await product.database.query("update settings set passwords_allowed = false");
  await page.goto(`${product.origin}/login`);
  await expect(page.getByRole("button", { name: "Sign in with Northquay" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Use a passkey" })).toBeVisible();
  await expect(page.getByLabel("Password", { exact: true })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Forgot password?" })).toHaveCount(0);
  const operator = newPerson("Opal Operator");
  await setPassword(page, await createOwner(product, operator), operator);
  await expectSignedIn(page, operator);
  await signOut(page);
  await page.goto(`${product.origin}/login#password`);
  await page.reload();
  await submitCredentials(page, operator);
  await expectSignedIn(page, operator);
});
