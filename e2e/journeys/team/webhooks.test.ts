import { expect, type Page } from "@playwright/test";
import { callApi } from "../../data/api.ts";
import { findPasswordLink, newPerson } from "../../data/team.ts";
import {
  type Receiver,
  signatureOf,
  startWebhookReceiver,
} from "../../environment/webhookReceiver.ts";
import { test as base } from "../../fixtures/test.ts";
import { expectAccessible } from "../../pages/accessibility.ts";
import { expectSignedIn, setPassword } from "../../pages/signIn.ts";

// @nightly: The gate sends and repeats a delivery; other actions are covered over HTTP.

type Workspace = { page: Page; receiver: Receiver };

/** A separate product, because it sends the events of all tests, and only to ports that it knows at its start. */
const test = base.extend<{ workspace: Workspace }>({
  workspace: async ({ startWorkspace }, provide) => {
    const receiver = await startWebhookReceiver();
    const { page } = await startWorkspace({
      WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8",
      WEBHOOK_ALLOWED_PORTS: `443,${receiver.port}`,
    });
    await provide({ page, receiver });
    receiver.stop();
  },
});

const open = async (page: Page) => {
  await page.goto("/webhook");
  await expect(page.getByRole("heading", { level: 1, name: "Webhooks" })).toBeVisible();
};

const create = async (page: Page, url: string, description: string) => {
  await page.getByRole("button", { name: "New endpoint" }).click();
  const dialog = page.getByRole("dialog", { name: "New endpoint" });
  await dialog.getByLabel("Endpoint URL").fill(url);
  await dialog.getByLabel("Description").fill(description);
  await dialog.getByRole("button", { name: "Create endpoint" }).click();
};

const choose = async (page: Page, endpoint: string, item: string) => {
  await page.getByRole("button", { name: `Actions for ${endpoint}` }).click();
  await page.getByRole("menuitem", { name: item }).click();
};

const log = (page: Page) => page.getByRole("region", { name: "Deliveries" }).getByRole("row");

test("An endpoint is created and tested, and a failed delivery is logged and sent again @nightly", async ({
  workspace: { page, receiver },
}) => {
  await open(page);
  await expect(page.getByRole("heading", { name: "No endpoints yet" })).toBeVisible();
  await create(page, "https://10.0.0.1/hooks", "The mail system");
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByLabel("Endpoint URL")).toBeFocused();
  await expect(dialog).toContainText("This URL is in a private network.");
  await dialog.getByLabel("Endpoint URL").fill(receiver.url);
  await dialog.getByRole("button", { name: "Create endpoint" }).click();
  const shown = page.getByRole("dialog", { name: "Save your secret" });
  const secret = (await shown.getByText(/^whsec_/).textContent()) ?? "";
  await shown.getByRole("button", { name: "I've saved it" }).click();

  await choose(page, "The mail system", "Send test event");
  await expect.poll(() => receiver.arrived.length).toBe(1);
  const [first = { headers: {}, body: "" }] = receiver.arrived;
  expect(first.headers["webhook-signature"]).toBe(signatureOf(secret, first));
  expect(JSON.parse(first.body)).toMatchObject({ type: "test" });
  await expect(log(page).nth(1)).toContainText("Delivered");
  await expect(page.getByRole("row", { name: /The mail system/ }).first()).toContainText(
    "100% of 1",
  );

  receiver.answerWith(500);
  await choose(page, "The mail system", "Send test event");
  await expect(log(page)).toHaveCount(3);
  await expect(log(page).nth(1)).toContainText("Retrying");
  await expect(log(page).nth(1)).toContainText("The endpoint returned 500.");
  await expect(page.getByText("Failing")).toBeVisible();
  await page.getByRole("combobox", { name: "Status" }).selectOption("Delivered");
  await expect(log(page)).toHaveCount(2);
  await expect(page).toHaveURL(/f=state%3Aany%3Adelivered|f=state:any:delivered/);
  await page.reload();
  await expect(log(page)).toHaveCount(2);
  await page.getByRole("combobox", { name: "Status" }).selectOption("Pending");
  await expect(log(page).nth(1)).toContainText("The endpoint returned 500.");

  await log(page)
    .nth(1)
    .getByRole("button", { name: /, event / })
    .click();
  const event = page.getByRole("dialog", { name: "Event (Test)" });
  await expect(event).toContainText('"type": "test"');
  await expect(event).toContainText("Out of order.");
  receiver.answerWith(200);
  const before = receiver.arrived.length;
  const failed = receiver.arrived.at(-1)?.headers["webhook-id"];
  await event.getByRole("button", { name: "Resend" }).click();
  await expect.poll(() => receiver.arrived.length).toBeGreaterThan(before);
  expect(receiver.arrived.at(-1)?.headers["webhook-id"]).toBe(failed);
  await expect(event).toContainText("Delivered");
  await page.keyboard.press("Escape");
  await expect(event).toBeHidden();
});

test("A secret is rotated, and an endpoint is disabled, enabled and deleted @nightly", async ({
  workspace: { page, receiver },
}) => {
  await open(page);
  await create(page, `${receiver.url}/second`, "The warehouse");
  await page.getByRole("button", { name: "I've saved it" }).click();
  await choose(page, "The warehouse", "Rotate secret…");
  await page.getByRole("button", { name: "Rotate secret" }).click();
  await expect(page.getByText(/^whsec_/)).toBeVisible();
  await page.getByRole("button", { name: "I've saved it" }).click();
  await choose(page, "The warehouse", "Disable…");
  await page.getByRole("button", { name: "Disable endpoint" }).click();
  const row = page
    .getByRole("region", { name: "Endpoints" })
    .getByRole("row", { name: /warehouse/ });
  await expect(row).toContainText("Disabled");
  await choose(page, "The warehouse", "Enable");
  await expect(row).toContainText("Active");
  await choose(page, "The warehouse", "Delete…");
  await page.getByRole("button", { name: "Delete endpoint" }).click();
  await expect(row).toBeHidden();
});

const expectNoProblems = async (page: Page) => {
  await page.mouse.move(0, 0);
  await expectAccessible(page);
};

for (const width of [1440, 390])
  test(`The page passes axe in light and dark and has no horizontal scrolling at ${width} @nightly`, async ({
    workspace: { page, receiver },
  }) => {
    await page.setViewportSize({ width, height: 900 });
    const name = `Endpoint ${width}`;
    await open(page);
    await page.getByRole("button", { name: "New endpoint" }).click();
    await expectNoProblems(page);
    await page.keyboard.press("Escape");
    await create(page, `${receiver.url}/${width}`, name);
    await expectNoProblems(page);
    await page.getByRole("button", { name: "I've saved it" }).click();
    await choose(page, name, "Send test event");
    await expect(log(page).nth(1)).toContainText("Delivered");
    // Colors can't be checked during a fade.
    await expect(page.getByText("Test event sent to")).toBeHidden({ timeout: 15_000 });
    await expectNoProblems(page);
    const isWide = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return scrollWidth > clientWidth;
    });
    expect(isWide).toBe(false);
    await log(page)
      .nth(1)
      .getByRole("button", { name: /, event / })
      .click();
    await expect(page.getByRole("dialog", { name: "Event (Test)" })).toContainText("Thank you.");
    await expectNoProblems(page);
  });

test("A role without access to webhooks sees the missing permission and no menu entry @nightly", async ({
  ownerPage,
  product,
  browser,
}) => {
  const viewer = newPerson("Vera Viewer");
  const { email, name } = viewer;
  await callApi(ownerPage, {
    method: "POST",
    path: "/team",
    body: { email, name, role: "viewer" },
  });
  const elsewhere = await browser.newContext({ baseURL: product.origin });
  const theirs = await elsewhere.newPage();
  await setPassword(theirs, findPasswordLink(await product.mailbox.read(email)), viewer);
  await expectSignedIn(theirs, viewer);
  await expect(theirs.getByRole("link", { name: "Webhooks" })).toBeHidden();
  await theirs.goto("/webhook");
  await expect(
    theirs.getByRole("heading", { name: "You don't have access to this page" }),
  ).toBeVisible();
  await expect(theirs.getByRole("main")).toContainText(
    "Ask an owner for the permission View webhooks.",
  );
  await elsewhere.close();
});
