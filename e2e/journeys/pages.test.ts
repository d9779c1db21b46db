import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";
import { createOwner, expectSignedIn, newPerson, signOut } from "../people.ts";
import { test } from "../test.ts";

/** What the browser complains about on that page from now on. */
const complaintsOf = async (page: Page) => {
  const complaints: string[] = [];
  await page.exposeFunction("complain", (text: string) => complaints.push(text));
  await page.addInitScript(() => {
    addEventListener("securitypolicyviolation", (event) => {
      const { violatedDirective, blockedURI, sourceFile, lineNumber } = event;
      const text = `${violatedDirective} ${blockedURI} ${sourceFile}:${lineNumber}`;
      (window as unknown as { complain: (text: string) => void }).complain(text);
    });
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    if (message.type() !== "error" && message.type() !== "warning") return;
    // Asking who is signed in is answered with 401 when nobody is: Chromium tells of every such answer.
    const { url } = message.location();
    if (url.endsWith("/api/session") && message.text().includes("401")) return;
    complaints.push(`${message.text()} ${url}`);
  });
  return complaints;
};

test("no CSP violation on any page", async ({ page, owner, product }) => {
  const complaints = await complaintsOf(page);
  const opened = [];
  for (const path of ["/", "/api/reference"]) {
    opened.push(await page.goto(path, { waitUntil: "networkidle" }));
    expect(complaints, path).toEqual([]);
  }
  await page.goto("/");
  await expectSignedIn(page, owner);
  await signOut(page);
  for (const path of ["/", "/login", "/api/reference"]) {
    opened.push(await page.goto(path, { waitUntil: "networkidle" }));
    expect(complaints, path).toEqual([]);
  }
  await page.goto(await createOwner(product, newPerson("Ole")), { waitUntil: "networkidle" });
  await expect(page.getByRole("button", { name: "Set password" })).toBeVisible();
  expect(complaints).toEqual([]);

  const policies = opened.map((answer) => answer?.headers()["content-security-policy"]);
  expect(new Set(policies).size).toBe(opened.length);
  for (const policy of policies) expect(policy).not.toContain("unsafe");

  // The listener does hear: a style without the nonce is refused, and told.
  await page.evaluate(() => {
    const style = document.createElement("style");
    style.textContent = "body { color: red }";
    document.head.append(style);
  });
  await expect.poll(() => complaints.join()).toContain("style-src-elem inline");
});

const problemsOf = async (page: Page) => {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
};

for (const colorScheme of ["light", "dark"] as const)
  test(`axe finds nothing on login and home in ${colorScheme}`, async ({
    page,
    owner,
    product,
  }) => {
    await page.emulateMedia({ colorScheme });
    await expect(page.getByText("You have no passkey yet.")).toBeVisible();
    expect(await problemsOf(page)).toEqual([]);
    await page.screenshot({ path: test.info().outputPath("home.png"), fullPage: true });

    await signOut(page);
    await page.getByLabel("Mail").fill(owner.email);
    await page.getByLabel("Password").fill("not the password");
    await page.getByLabel("Password").press("Enter");
    await expect(page.getByRole("alert")).toBeVisible();
    expect(await problemsOf(page)).toEqual([]);
    await page.screenshot({ path: test.info().outputPath("login.png"), fullPage: true });

    await page.getByRole("button", { name: "Forgot password?" }).click();
    expect(await problemsOf(page)).toEqual([]);
    await page.goto(await createOwner(product, newPerson("Ole")));
    await expect(page.getByRole("button", { name: "Set password" })).toBeVisible();
    expect(await problemsOf(page)).toEqual([]);
  });
