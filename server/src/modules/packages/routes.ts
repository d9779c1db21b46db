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
  restorePackage,
} from "@purser/contract/packages/endpoints";
import { type PackageDetails, packageReply } from "@purser/contract/packages/fields";
import { changeMatrix, getMatrix } from "@purser/contract/packages/matrix";
import type { Price } from "@purser/contract/packages/prices";
import {
  discardDraft,
  getVersion,
  listVersions,
  retireVersion,
  startDraft,
} from "@purser/contract/packages/versions";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { findActivity } from "#platform/audit/activity.ts";
import type { Db } from "#platform/db/db.ts";
import { existing, invalidAt, notFound, Problem, refuse } from "#platform/http/problem.ts";
import { serve } from "#platform/http/serve.ts";
import { serveExport } from "#platform/lists/export.ts";
import { findSettings } from "#platform/settings.ts";
import { findDraftState, findMatrix, storeChange } from "./matrix.ts";
import {
  countPackagesByStatus,
  findPackage,
  findPackages,
  insertPackage,
  lockPackage,
  packageList,
  removePackage,
  replaceDetails,
  setPackageStatus,
} from "./queries.ts";
import {
  conflictsOf,
  refusalOfDraft,
  refusalToArchive,
  refusalToChange,
  refusalToDelete,
  refusalToRestore,
  refusalToStart,
  sameTerms,
  validationMessages,
} from "./rules.ts";
import {
  copyToDraft,
  findContents,
  findVersion,
  findVersionIds,
  findVersions,
  insertFirstDraft,
  newestVersionId,
  removeDraft,
  replaceTerms,
  setVersionState,
} from "./versions.ts";

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

/** A price in a currency that the company does not use is refused; one that was there before may stay. */
const assertCurrencies = async (db: Db, prices: readonly Price[], before: readonly Price[]) => {
  const { currencies: used } = await findSettings(db);
  if (used.length === 0) return;
  const known = new Set([...used, ...before.map((price) => price.currency)]);
  const place = prices.findIndex((price) => !known.has(price.currency));
  if (place >= 0)
    throw invalidAt(
      `/prices/${place}/currency`,
      "unused",
      `is not in use here. Use ${used.join(", ")}, or ask an owner to add it in the settings`,
    );
};

export const packageRoutes = (app: FastifyInstance) => {
  serve(app, listPackages, ({ db, query, paging }) => findPackages(db, query, paging));

  serve(app, countPackages, ({ db }) => countPackagesByStatus(db));

  // A file has the number alone, as the statement counts it.
  const row = packageReply.extend({ holders: z.int() });
  serveExport(app, exportPackages, { name: "packages", list: packageList, row });

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
    refuse(refusalToChange(stored, body));
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
    await setPackageStatus(db, id, "archived", now);
    return readPackage(db, id);
  });

  serve(app, restorePackage, async ({ db, params: { id }, now, assertVersion }) => {
    refuse(refusalToRestore(assertVersion(await readLocked(db, id), packageReply)));
    await setPackageStatus(db, id, "active", now);
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
    // A deleted package is gone, but what happened to it is not.
    if (activity.items.length === 0) await readPackage(db, id);
    return activity;
  });
};

export const versionRoutes = (app: FastifyInstance) => {
  serve(app, listVersions, async ({ db, params: { id }, now }) => {
    await readPackage(db, id);
    return { items: await findVersions(db, id, now) };
  });

  serve(app, getVersion, async ({ db, params: { id, number }, now }) => {
    const version = await findVersion(db, { packageId: id, number: Number(number), now });
    if (!version) throw notFound("version of this package");
    return { ...version, contents: await findContents(db, version.id) };
  });

  serve(app, startDraft, async ({ db, params: { id }, body: { from }, now }) => {
    const stored = await readLocked(db, id);
    refuse(refusalToStart(stored));
    const source = from && (await findVersion(db, { packageId: id, number: from, now }));
    if (from && !source) throw notFound("version of this package");
    await copyToDraft(db, id, source ? source.id : await newestVersionId(db, stored));
    return readPackage(db, id);
  });

  serve(app, discardDraft, async ({ db, params: { id }, body: { draftId } }) => {
    const stored = await readLocked(db, id);
    refuse(refusalOfDraft(stored, draftId));
    if (!stored.codeFrozen && !stored.scheduled)
      throw new Problem(
        "wrong_state",
        "It is the only version of the package. Delete the package instead.",
      );
    await removeDraft(db, draftId);
    return readPackage(db, id);
  });

  serve(app, retireVersion, async ({ db, params: { id }, assertVersion }) => {
    const { onSale } = assertVersion(await readLocked(db, id), packageReply);
    if (!onSale) throw new Problem("wrong_state", "No version of this package is on sale.");
    await setVersionState(db, onSale.id, "retired");
    return readPackage(db, id);
  });
};

export const matrixRoutes = (app: FastifyInstance) => {
  serve(app, getMatrix, async ({ db, params: { id }, query }) => {
    const asked = query.with ? query.with.split(",") : null;
    return findMatrix(db, await readPackage(db, id), asked);
  });

  serve(app, changeMatrix, async ({ db, params: { id }, body: { draftId, ...change } }) => {
    refuse(refusalOfDraft(await readLocked(db, id), draftId));
    const state = await findDraftState(db, draftId, change);
    const [conflict, ...more] = conflictsOf(state, change.cells);
    if (conflict)
      throw new Problem("cell_changed", `${conflict.message} Compare, then save again.`, {
        errors: [conflict, ...more],
      });
    const [complaint, ...others] = validationMessages(state, change);
    if (complaint)
      throw new Problem("invalid", complaint.message, { errors: [complaint, ...others] });
    await storeChange(db, draftId, change);
    return findMatrix(db, await readPackage(db, id), null);
  });
};
