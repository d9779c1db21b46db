import { plural, t } from "@lingui/core/macro";
import { archivePackage, restorePackage } from "@purser/contract/packages/endpoints";
import { unschedulePackage } from "@purser/contract/packages/publishing";
import { retireVersion, startDraft } from "@purser/contract/packages/versions";
import { call } from "#lib/api/call.ts";
import { toast, undoAction } from "#ui/popups/toast.ts";
import { sendEach } from "#ui/record/sendEach.ts";
import { withSkipped } from "#ui/record/skipped.ts";
import { type Package, packageSaved, packagesChanged } from "./queries.ts";

const sent = ({ id, version }: Pick<Package, "id" | "version">) => ({
  params: { id },
  version,
  body: {},
});

export const restore = async (stored: Package) => {
  const { name } = stored;
  packageSaved(await call(restorePackage, sent(stored)));
  toast(t`${name} restored`);
};

export const archive = async (stored: Package) => {
  const { name } = stored;
  const archived = await call(archivePackage, sent(stored));
  packageSaved(archived);
  toast(
    t`${name} archived`,
    undoAction(() => restore(archived)),
  );
};

const many = { archive: archivePackage, restore: restorePackage } as const;
const doneText: Record<keyof typeof many, (count: number) => string> = {
  archive: (count) => plural(count, { one: "# package archived", other: "# packages archived" }),
  restore: (count) => plural(count, { one: "# package restored", other: "# packages restored" }),
};

export const applyToMany = async (action: keyof typeof many, packages: Package[]) => {
  const { saved, skipped } = await sendEach(packages, (stored) => call(many[action], sent(stored)));
  await packagesChanged();
  const undo =
    action === "archive" && saved.length > 0
      ? undoAction(() => applyToMany("restore", saved))
      : undefined;
  toast(await withSkipped(doneText[action](saved.length), skipped), undo);
};

/** Takes the package off sale; publishing a draft puts it on sale again. */
export const takeOffSale = async (stored: Package) => {
  packageSaved(await call(retireVersion, sent(stored)));
  const { name } = stored;
  toast(t`${name} taken off sale`);
};

export const unschedule = async (stored: Package) => {
  packageSaved(await call(unschedulePackage, sent(stored)));
  const number = stored.scheduled?.number ?? "";
  toast(t`Version ${number} is a draft again`);
};

export const startFrom = async (stored: Package, from: number) => {
  const saved = await call(startDraft, { params: { id: stored.id }, body: { from } });
  packageSaved(saved);
  const number = saved.draft?.number ?? "";
  toast(t`Draft of version ${number} created from version ${from}`);
};
