import { expect, type Page } from "@playwright/test";

/** Records the paths of this page's document requests from now on. */
export const recordDocumentRequests = (page: Page) => {
  const paths: string[] = [];
  page.on("request", (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame())
      paths.push(new URL(request.url()).pathname);
  });
  return paths;
};

/** The requests of this page whose path ends so, from now on. */
export const recordRequests = (page: Page, ending: string) => {
  const addresses: string[] = [];
  page.on("request", (request) => {
    if (new URL(request.url()).pathname.endsWith(ending)) addresses.push(request.url());
  });
  return addresses;
};

export const expectHome = (page: Page) =>
  expect(page.getByRole("heading", { level: 1, name: "Home" })).toBeVisible();

export const appsLink = (page: Page) =>
  page.getByRole("navigation").first().getByRole("link", { name: "Apps", exact: true });

export const expectFailure = async (page: Page) => {
  await expect(
    page.getByRole("heading", { level: 1, name: "Internal Server Error" }),
  ).toBeVisible();
  await expect(page.getByText("500", { exact: true })).toBeVisible();
};

/** Which build the page is of. */
export const buildIdOf = (page: Page): Promise<string> =>
  page.evaluate(
    () => JSON.parse(document.getElementById("runtime-config")?.textContent ?? "").build.id,
  );
