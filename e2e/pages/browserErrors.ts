import type { Page } from "@playwright/test";

/** Chromium logs every failed response. A test lists the ones it expects. */
type Expected = { status: number; path: string | RegExp };

const isExpected = (text: string, address: string, expected: Expected[]) => {
  const { pathname } = URL.parse(address) ?? { pathname: address };
  return expected.some(
    ({ status, path }) =>
      text.includes(`responded with a status of ${status} `) &&
      (typeof path === "string" ? pathname === path : path.test(pathname)),
  );
};

/** Collects CSP violations, console errors and script errors of the page from now on. */
export const collectBrowserErrors = async (page: Page, expected: Expected[] = []) => {
  const errors: string[] = [];
  await page.exposeFunction("reportViolation", (text: string) => errors.push(text));
  await page.addInitScript(() => {
    addEventListener("securitypolicyviolation", (event) => {
      const { violatedDirective, blockedURI, sourceFile, lineNumber } = event;
      const text = `${violatedDirective} ${blockedURI} ${sourceFile}:${lineNumber}`;
      (window as unknown as { reportViolation: (text: string) => void }).reportViolation(text);
    });
  });
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => {
    if (message.type() !== "error" && message.type() !== "warning") return;
    const { url } = message.location();
    if (!isExpected(message.text(), url, expected)) errors.push(`${message.text()} ${url}`);
  });
  return errors;
};
