import { existsSync } from "node:fs";
import { pathOf } from "../environment.ts";

const scalar = "reference/node_modules/@scalar/api-reference";

/** Whether `npm --prefix reference ci` installed what makes the API reference interactive. */
export const hasReference = () => existsSync(pathOf(scalar));

/** What the server reads of it: one file, which contains its packages. */
export const referenceFiles = () =>
  hasReference() ? [`${scalar}/dist/browser/standalone.js`] : [];
