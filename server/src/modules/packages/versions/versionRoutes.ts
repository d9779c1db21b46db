import { packageReply } from "@purser/contract/packages/fields";
import {
  discardDraft,
  getVersion,
  listVersions,
  retireVersion,
  startDraft,
} from "@purser/contract/packages/versions";
import type { FastifyInstance } from "fastify";
import { notFound, Problem, refuse } from "#platform/http/problem.ts";
import { serve } from "#platform/http/serve.ts";
import { message } from "#platform/messages.ts";
import { readLocked, readPackage } from "../routes.ts";
import { refusalOfDraft, refusalToStart } from "../rules.ts";
import {
  copyToDraft,
  findContents,
  findVersion,
  findVersions,
  newestVersionId,
  removeDraft,
  setVersionState,
} from "./versionQueries.ts";

export const versionRoutes = (app: FastifyInstance) => {
  serve(app, listVersions, async ({ db, params: { id }, now }) => {
    await readPackage(db, id);
    return { items: await findVersions(db, id, now) };
  });

  serve(app, getVersion, async ({ db, params: { id, number }, now }) => {
    const version = await findVersion(db, { packageId: id, number: Number(number), now });
    if (!version) throw notFound("packageVersion");
    return { ...version, contents: await findContents(db, version.id) };
  });

  serve(app, startDraft, async ({ db, params: { id }, body: { from }, now }) => {
    const stored = await readLocked(db, id);
    refuse(refusalToStart(stored));
    const source = from && (await findVersion(db, { packageId: id, number: from, now }));
    if (from && !source) throw notFound("packageVersion");
    await copyToDraft(db, id, source ? source.id : await newestVersionId(db, stored));
    return readPackage(db, id);
  });

  serve(app, discardDraft, async ({ db, params: { id }, body: { draftId } }) => {
    const stored = await readLocked(db, id);
    refuse(refusalOfDraft(stored, draftId));
    if (!stored.codeFrozen && !stored.scheduled)
      throw new Problem(
        "wrong_state",
        message(
          "draft_only_version",
          "This is the package's only version. Delete the package instead.",
        ),
      );
    await removeDraft(db, draftId);
    return readPackage(db, id);
  });

  serve(app, retireVersion, async ({ db, params: { id }, assertVersion }) => {
    const { onSale } = assertVersion(await readLocked(db, id), packageReply);
    if (!onSale)
      throw new Problem(
        "wrong_state",
        message("no_version_on_sale", "No version of this package is on sale."),
      );
    await setVersionState(db, onSale.id, "retired");
    return readPackage(db, id);
  });
};
