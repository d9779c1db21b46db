import { expect, type Locator, type Page } from "@playwright/test";

/** Opens the form of an app that is there, as it is stored. */
export const openEdit = async (page: Page, { id, name }: { id: string; name: string }) => {
  await page.goto(`/apps/edit/${id}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Edit ${name}`);
};

export const openCreate = async (page: Page) => {
  await page.goto("/apps/create");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("New app");
};

const labels = {
  name: "Name",
  code: "Code",
  description: "Description",
  supportEmail: "Support email",
} as const;
export type TypedField = keyof typeof labels;

/** A text field by its name in the API. */
export const fieldOf = (page: Page, name: TypedField) =>
  page.locator("form").getByRole("textbox", { name: labels[name] });

export const summaryOf = (page: Page) => page.locator("form").getByRole("alert");

/** The accessible descriptions of a field, one text per element. */
export const descriptionsOf = (field: Locator) =>
  field.evaluate((element) =>
    (element.getAttribute("aria-describedby") ?? "")
      .split(" ")
      .flatMap((id) => document.getElementById(id)?.textContent ?? []),
  );

/** The errors of a form by field: those of its summary, each also checked at its field. */
export const fieldErrorsOf = async (page: Page) => {
  const errors: Record<string, string> = {};
  for (const link of await summaryOf(page).getByRole("link").all()) {
    const told = await link.innerText();
    const name = (Object.keys(labels) as TypedField[]).find((one) =>
      told.startsWith(`${labels[one]} `),
    );
    if (!name) throw new Error(`The summary names a field that the form does not have: ${told}`);
    errors[name] = told.slice(labels[name].length + 1);
    const field = fieldOf(page, name);
    await expect(field).toHaveAttribute("aria-invalid", "true");
    expect(await descriptionsOf(field)).toContain(errors[name]);
  }
  return errors;
};

/** Records the write requests below a path. */
export const recordWrites = (page: Page, below = "/api/apps") => {
  const writes: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() !== "GET" && pathname.startsWith(below))
      writes.push(`${request.method()} ${pathname}`);
  });
  return writes;
};

/** The first write succeeds, but its response is lost. */
export const dropFirstResponse = async (page: Page, address: string) => {
  let isLost = false;
  await page.route(address, async (route) => {
    if (isLost || route.request().method() === "GET") return route.continue();
    isLost = true;
    await route.fetch();
    await route.abort();
  });
};

export const toast = (page: Page, text: string) =>
  page.locator(".mantine-Notification-root").filter({ hasText: text });
