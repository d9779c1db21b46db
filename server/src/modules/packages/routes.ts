import {
  archivePackage,
  changePackage,
  countPackages,
  createPackage,
  deletePackage,
  exportPackages,
  getPackage,
  getPackageActivity,
  listPackages,
  previewBulkPackages,
  restorePackage,
  startBulkPackages,
  startPackagesExport,
} from "@purser/contract/packages/endpoints";
import { type PackageDetails, packageReply } from "@purser/contract/packages/fields";
import type { Price } from "@purser/contract/packages/prices";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { setStatus } from "#modules/apps/queries.ts";
import { refusalToChange } from "#modules/apps/rules.ts";
import { findActivity } from "#platform/audit/activity.ts";
import type { Db } from "#platform/db/db.ts";
import { existing, invalidAt, refuse } from "#platform/http/problem.ts";
import { serve } from "#platform/http/serve.ts";
import { serveExport } from "#platform/lists/export.ts";
import type { AnyList } from "#platform/lists/jobs/sources.ts";
import { serveBulkJobs, serveExportJob } from "#platform/lists/jobs/start.ts";
import { message } from "#platform/messages.ts";
import { findSettings } from "#platform/settings.ts";
import {
  archivableState,
  countPackagesByStatus,
  findPackage,
  findPackages,
  insertPackage,
  lockPackage,
  packageList,
  removePackage,
  replaceDetails,
} from "./queries.ts";
import { refusalToArchive, refusalToDelete, refusalToRestore, sameTerms } from "./rules.ts";
import {
  copyToDraft,
  findVersionIds,
  insertFirstDraft,
  newestVersionId,
  replaceTerms,
} from "./versions/versionQueries.ts";

export const readPackage = async (db: Db, id: string) =>
  existing(await findPackage(db, id), "package");

export const readLocked = async (db: Db, id: string) =>
  existing(await lockPackage(db, id), "package");

const withoutReason = ({
  reason: _,
  trialDays,
  prices,
  ...own
}: PackageDetails & { reason?: unknown }) => ({
  own,
  terms: { trialDays, prices },
});

/** Refuses new prices in currencies that the company doesn't use; existing ones can stay. */
const assertCurrencies = async (db: Db, prices: readonly Price[], before: readonly Price[]) => {
  const { currencies: used } = await findSettings(db);
  if (used.length === 0) return;
  const known = new Set([...used, ...before.map((price) => price.currency)]);
  const place = prices.findIndex((price) => !known.has(price.currency));
  if (place >= 0)
    throw invalidAt(
      `/prices/${place}/currency`,
      message(
        "currency_unused",
        "This currency isn't enabled. Use one of the enabled currencies ({currencies}), or ask an owner to enable it in the settings.",
        { currencies: used },
      ),
    );
};

/** What is done with all packages that match a filter. */
const packageListJobs = (app: FastifyInstance) => {
  // An export has the plain number.
  const row = packageReply.extend({ subscribers: z.int() });
  const file = { name: "packages" as const, list: packageList, row };
  serveExport(app, exportPackages, file);
  serveExportJob(app, startPackagesExport, file);

  serveBulkJobs(app, "packages", {
    start: startBulkPackages,
    preview: previewBulkPackages,
    listOf: () => packageList as unknown as AnyList,
    actions: {
      archive: {
        endpoint: archivePackage,
        undo: "restore",
        unchanged: ["package_already_archived"],
      },
      restore: { endpoint: restorePackage, undo: "archive", unchanged: ["package_not_archived"] },
    },
    rules: {
      state: archivableState,
      refusalOf: (state: Parameters<typeof refusalToArchive>[0], action) =>
        action === "archive" ? refusalToArchive(state) : refusalToRestore(state),
    },
  });
};

export const packageRoutes = (app: FastifyInstance) => {
  serve(app, listPackages, ({ db, query, paging }) => findPackages(db, query, paging));

  serve(app, countPackages, ({ db }) => countPackagesByStatus(db));

  packageListJobs(app);

  serve(app, getPackage, ({ db, params: { id } }) => readPackage(db, id));

  serve(app, createPackage, async ({ db, body }) => {
    const { own, terms } = withoutReason(body);
    await assertCurrencies(db, terms.prices, []);
    const id = await insertPackage(db, own);
    await replaceTerms(db, await insertFirstDraft(db, id), terms);
    return readPackage(db, id);
  });

  serve(app, changePackage, async ({ db, params: { id }, body, now, assertVersion }) => {
    const stored = assertVersion(await readLocked(db, id), packageReply);
    refuse(refusalToChange("package", stored, body));
    const { own, terms } = withoutReason(body);
    await replaceDetails(db, id, own, now);
    if (!sameTerms(stored, terms)) {
      await assertCurrencies(db, terms.prices, stored.prices);
      const draft =
        stored.draft?.id ?? (await copyToDraft(db, id, await newestVersionId(db, stored)));
      await replaceTerms(db, draft, terms);
    }
    return readPackage(db, id);
  });

  serve(app, archivePackage, async ({ db, params: { id }, now, assertVersion }) => {
    refuse(refusalToArchive(assertVersion(await readLocked(db, id), packageReply)));
    await setStatus(db, "packages", { ids: [id], status: "archived", now });
    return readPackage(db, id);
  });

  serve(app, restorePackage, async ({ db, params: { id }, now, assertVersion }) => {
    refuse(refusalToRestore(assertVersion(await readLocked(db, id), packageReply)));
    await setStatus(db, "packages", { ids: [id], status: "active", now });
    return readPackage(db, id);
  });

  serve(app, deletePackage, async ({ db, params: { id }, assertVersion }) => {
    refuse(refusalToDelete(assertVersion(await readLocked(db, id), packageReply)));
    await removePackage(db, id);
  });

  serve(app, getPackageActivity, async ({ db, params: { id }, query: { after }, session }) => {
    const versions = await findVersionIds(db, id);
    const parts = ["package_versions", "version_apps", "version_values", "version_prices"];
    const records = versions.flatMap((version) => parts.map((entity) => ({ entity, id: version })));
    const activity = await findActivity(
      db,
      { records: [{ entity: "packages", id }, ...records], after },
      session,
    );
    // The activity of a deleted package can still be read.
    if (activity.items.length === 0) await readPackage(db, id);
    return activity;
  });
};
