import { allows, type Permission } from "@purser/contract/auth/permissions";
import {
  applyCatalog,
  catalogTextMax,
  diffCatalog,
  exportCatalog,
} from "@purser/contract/catalog/catalog";
import type { FastifyInstance } from "fastify";
import { Problem } from "#platform/http/problem.ts";
import { serve, serveInSteps } from "#platform/http/serve.ts";
import { serveDocument } from "#platform/lists/export.ts";
import { message } from "#platform/messages.ts";
import { applyCatalogFile } from "./applyFile.ts";
import { compareWithWorkspace } from "./compare.ts";
import { readCatalogFile } from "./file/read.ts";
import { Overrun, workOnFileOf } from "./file/worker.ts";
import { findStoredCatalog } from "./queries.ts";
import { catalogOf } from "./rules.ts";

// A file writes apps, features and packages, but an endpoint declares only one permission.
const alsoNeeded: readonly Permission[] = ["apps:write", "features:write"];

const tooLong = () =>
  new Problem(
    "too_large",
    message(
      "catalog_too_long",
      "The file would have more than {max, number} characters. Shorten descriptions or delete unused drafts.",
      { max: catalogTextMax },
    ),
  );

const tooCostly = ({ limit }: Overrun) =>
  new Problem(
    "too_large",
    limit === "time"
      ? message(
          "catalog_export_time",
          "Exporting the catalog takes too much processing time. Shorten descriptions or delete unused drafts.",
        )
      : message(
          "catalog_export_memory",
          "Exporting the catalog takes too much memory. Shorten descriptions or delete unused drafts.",
        ),
  );

export const catalogRoutes = (app: FastifyInstance) => {
  serveDocument(app, exportCatalog, "catalog", async ({ db, query: { format }, session }) => {
    const write = catalogOf(await findStoredCatalog(db));
    const text = await workOnFileOf(session.userId)({ write, format }).catch((error) => {
      throw error instanceof Overrun ? tooCostly(error) : error;
    });
    if (text.length > catalogTextMax) throw tooLong();
    return text;
  });

  // Reading a file can be slow, so no transaction is open meanwhile.
  serveInSteps(app, diffCatalog, async ({ db, body, session }) => {
    const { source, archiveMissing } = body;
    const file = await readCatalogFile(source, workOnFileOf(session.userId));
    return (await compareWithWorkspace(db, { file, archiveMissing })).shown;
  });

  serve(app, applyCatalog, async ({ db, body, session, now }) => {
    const lacking = alsoNeeded.find((permission) => !allows(session, permission));
    if (lacking)
      throw new Problem(
        "forbidden",
        message(
          "catalog_permission_missing",
          "Your role doesn't have the {permission} permission. Ask an owner for access.",
          { permission: lacking },
        ),
      );
    const { source, archiveMissing, hash } = body;
    const file = await readCatalogFile(source, workOnFileOf(session.userId));
    return applyCatalogFile(db, { file, archiveMissing, hash, now });
  });
};
