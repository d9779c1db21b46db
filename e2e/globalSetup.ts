import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { migrate } from "../server/src/platform/db/migrate.ts";
import { dropDatabase, urlOf } from "./environment/product.ts";

const checkBuild = () => {
  const page = readFileSync(new URL("../web/dist/index.html", import.meta.url), "utf8");
  if (!page.includes('"marked"')) throw new Error("Run `npm run build -- --pseudo` first.");
};

/** Migrates one database per run, which every product copies instead of migrating its own. */
const createTemplate = async () => {
  checkBuild();
  const name = `purser_e2e_template_${randomBytes(6).toString("hex")}`;
  await migrate(urlOf(name));
  process.env["E2E_TEMPLATE"] = name;
  return () => dropDatabase(name);
};

// biome-ignore lint/style/noDefaultExport: Playwright takes the default export.
export default createTemplate;
