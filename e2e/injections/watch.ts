import type { Page } from "@playwright/test";

type Attribute = { element: string; name: string; value: string };

const links = ["href", "src", "action", "formaction", "xlink:href", "data"];

/** The app's own elements have none of these. Links may lead to other sites, but files never come from there. */
const suspicious = ({ element, name, value }: Attribute, origin: string) =>
  name.startsWith("on") ||
  name === "srcdoc" ||
  (links.includes(name) && /^\s*(javascript|vbscript|data:text\/(?!csv))/i.test(value)) ||
  (name === "src" && URL.parse(value, origin)?.origin !== origin && !value.startsWith("data:")) ||
  (name === "style" && value.includes("evil.example")) ||
  element === "base";

const readInjected = async (page: Page, origin: string) => {
  const { attributes, elements } = await page.evaluate(() => {
    const all = [...document.querySelectorAll("*")];
    const isStyle = (one: Element) =>
      one.localName === "style" && (one.textContent ?? "").includes("evil.example");
    return {
      attributes: all.flatMap((one) =>
        [...one.attributes].map(({ name, value }) => ({ element: one.localName, name, value })),
      ),
      elements: all
        .filter((one) => one.matches("iframe, object, embed") || isStyle(one))
        .map(({ localName }) => localName),
    };
  });
  const found = attributes.filter((attribute) => suspicious(attribute, origin));
  return [...found.map(({ element, name, value }) => `${element} ${name}=${value}`), ...elements];
};

/**
 * Notes every sign that a stored text became more than text: a script that ran, a dialog, a violation of the policy,
 * an error of the page, a request to another host, and elements that a text added.
 */
export const watchInjections = async (page: Page, origin: string) => {
  const signs: string[] = [];
  const { host } = new URL(origin);
  await page.exposeFunction("canary", (place: unknown) => void signs.push(`script ran: ${place}`));
  await page.exposeFunction("reportPolicy", (text: string) => void signs.push(`policy: ${text}`));
  await page.addInitScript(() => {
    addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
      (window as unknown as { reportPolicy: (text: string) => void }).reportPolicy(
        `${violatedDirective} ${blockedURI}`,
      ),
    );
  });
  page.on("dialog", (dialog) => {
    // Leaving a form with unsaved changes asks first.
    if (dialog.type() !== "beforeunload") signs.push(`dialog: ${dialog.message()}`);
    void dialog.accept();
  });
  page.on("pageerror", (error) => signs.push(`error: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error") signs.push(`console: ${message.text()}`);
  });
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (/^(https?|wss?):$/.test(url.protocol) && url.host !== host)
      signs.push(`request: ${request.url()}`);
  });
  return {
    /** Everything found since the last look. */
    look: async () => {
      const found = [...signs.splice(0), ...(await readInjected(page, origin))];
      return [...new Set(found)];
    },
  };
};
