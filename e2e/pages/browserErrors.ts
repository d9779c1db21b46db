import type { Page } from "@playwright/test";

/** Chromium tells of every refused answer. These were asked for, so the test knows them. */
type Expected = { status: number; path: string | RegExp };

/** Asking who is signed in is answered with 401 when nobody is. */
const nobody: Expected = { status: 401, path: "/api/session" };

const isExpected = (text: string, address: string, expected: Expected[]) => {
  const { pathname } = URL.parse(address) ?? { pathname: address };
  return expected.some(
    ({ status, path }) =>
      text.includes(`responded with a status of ${status} `) &&
      (typeof path === "string" ? pathname === path : path.test(pathname)),
  );
};

/** What the browser complains about on that page from now on: its policy, its console, its scripts. */
export const complaintsOf = async (page: Page, expected: Expected[] = []) => {
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
    const { url } = message.location();
    if (!isExpected(message.text(), url, [nobody, ...expected]))
      complaints.push(`${message.text()} ${url}`);
  });
  return complaints;
};
