import { allows, type Permission } from "@purser/contract/auth/permissions";
import {
  applyCatalogue,
  catalogTextMax,
  diffCatalogue,
  exportCatalogue,
} from "@purser/contract/catalog/catalog";
import type { FastifyInstance } from "fastify";
import { Problem } from "#platform/http/problem.ts";
import { serve, serveInSteps } from "#platform/http/serve.ts";
import { serveDocument } from "#platform/lists/export.ts";
import { applyCatalogFile } from "./applyFile.ts";
import { compareWithWorkspace } from "./compare.ts";
import { readCatalogFile } from "./file/read.ts";
import { Overrun, workOnFile } from "./file/worker.ts";
import { findStoredCatalog } from "./queries.ts";
import { catalogOf } from "./rules.ts";

// A file writes apps, features and packages, but an endpoint declares only one permission.
const alsoNeeded: readonly Permission[] = ["apps:write", "features:write"];

const howToShorten = "Shorten descriptions, or delete drafts that nobody needs.";

const tooLong = () =>
  new Problem(
    "too_large",
    `The file would have more than ${catalogTextMax.toLocaleString("en-US")} characters, and could not be read back. ${howToShorten}`,
  );

const tooCostly = ({ message }: Overrun) => new Problem("too_large", `${message} ${howToShorten}`);

export const catalogRoutes = (app: FastifyInstance) => {
  serveDocument(app, exportCatalogue, "catalogue", async ({ db, query: { format } }) => {
    const write = catalogOf(await findStoredCatalog(db));
    const text = await workOnFile({ write, format }).catch((error) => {
      throw error instanceof Overrun ? tooCostly(error) : error;
    });
    if (text.length > catalogTextMax) throw tooLong();
    return text;
  });

  // Reading a file can be slow, so no transaction is open meanwhile.
  serveInSteps(app, diffCatalogue, async ({ db, body: { source, archiveMissing } }) => {
    const file = await readCatalogFile(source);
    return (await compareWithWorkspace(db, { file, archiveMissing })).shown;
  });

  serve(app, applyCatalogue, async ({ db, body, session, now }) => {
    const lacking = alsoNeeded.find((permission) => !allows(session.role, permission));
    if (lacking)
      throw new Problem("forbidden", `Your role lacks "${lacking}". Ask an owner for it.`);
    const { source, archiveMissing, hash } = body;
    const file = await readCatalogFile(source);
    return applyCatalogFile(db, { file, archiveMissing, hash, now });
  });
};
