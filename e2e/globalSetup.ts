import { randomBytes } from "node:crypto";
import { migrate } from "../server/src/platform/db/migrate.ts";
import { dropDatabase, urlOf } from "./environment/product.ts";

/** Migrates one database per run, which every product copies instead of migrating its own. */
const createTemplate = async () => {
  const name = `purser_e2e_template_${randomBytes(6).toString("hex")}`;
  await migrate(urlOf(name));
  process.env["E2E_TEMPLATE"] = name;
  return () => dropDatabase(name);
};

// biome-ignore lint/style/noDefaultExport: Playwright takes the default export.
export default createTemplate;
