import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

/** Installed by `npm --prefix reference ci`, with packages of its own, because the product needs none of them. */
const folder = new URL("../../../../../reference/", import.meta.url);
const bundle = fileURLToPath(
  new URL("node_modules/@scalar/api-reference/dist/browser/standalone.js", folder),
);

export const hasScalar = () => existsSync(bundle);

/** Compressed once, because it has 4 MB. */
export const readScalar = () => gzipSync(readFileSync(bundle));

/**
 * Runs before Scalar. The content security policy allows styles with a nonce and those that scripts set, but none in
 * attributes, and no code from texts, which zod would try.
 */
const beforeScalar = `
  globalThis.__zod_globalConfig = { jitless: true };
  const nonce = document.querySelector("meta[property=csp-nonce]").content;
  const create = document.createElement.bind(document);
  document.createElement = (name, options) => {
    const made = create(name, options);
    if (name === "style") made.nonce = nonce;
    return made;
  };
  const set = Element.prototype.setAttribute;
  Element.prototype.setAttribute = function (name, value) {
    if (name === "style") this.style.cssText = value;
    else set.call(this, name, value);
  };
  const html = Object.getOwnPropertyDescriptor(Element.prototype, "innerHTML");
  Object.defineProperty(Element.prototype, "innerHTML", {
    ...html,
    set(value) {
      html.set.call(this, String(value ?? "").replace(/(<[^>]*\\s)style=/g, "$1data-style="));
      for (const styled of (this.content ?? this).querySelectorAll("[data-style]")) {
        styled.style.cssText = styled.dataset.style;
        styled.removeAttribute("data-style");
      }
    },
  });`;

const startScalar = `
  Scalar.createApiReference("#reference", {
    url: document.getElementById("reference").dataset.url,
    withDefaultFonts: false,
    telemetry: false,
    hideClientButton: true,
    hideTestRequestButton: true,
    showDeveloperTools: "never",
    agent: { disabled: true },
    mcp: { disabled: true },
  });`;

/** The scripts of the page, each with a URL of its own, because the policy allows none inline. */
export const scalarScripts = { before: beforeScalar, start: startScalar };
