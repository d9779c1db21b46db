import { archivePackage, restorePackage } from "@purser/contract/packages/endpoints";
import { unschedulePackage } from "@purser/contract/packages/publishing";
import { retireVersion, startDraft } from "@purser/contract/packages/versions";
import { call } from "#lib/api/call.ts";
import { count } from "#lib/labels.ts";
import { toast } from "#ui/popups/toast.ts";
import { sendEach } from "#ui/record/sendEach.ts";
import { type Package, packageSaved, packagesChanged } from "./queries.ts";

const sent = ({ id, version }: Pick<Package, "id" | "version">) => ({
  params: { id },
  version,
  body: {},
});

export const restore = async (stored: Package) => {
  packageSaved(await call(restorePackage, sent(stored)));
  toast(`${stored.name} is active again.`);
};

export const archive = async (stored: Package) => {
  const archived = await call(archivePackage, sent(stored));
  packageSaved(archived);
  toast(`${stored.name} is archived.`, { label: "Undo", run: () => restore(archived) });
};

const many = { archive: archivePackage, restore: restorePackage } as const;
const past = { archive: "archived", restore: "restored" } as const;

export const applyToMany = async (action: keyof typeof many, packages: Package[]) => {
  const { saved, stayed } = await sendEach("package", packages, (stored) =>
    call(many[action], sent(stored)),
  );
  await packagesChanged();
  const undo =
    action === "archive" && saved.length > 0
      ? { label: "Undo", run: () => applyToMany("restore", saved) }
      : undefined;
  toast(`${count(saved.length, "package")} ${past[action]}.${stayed}`, undo);
};

/** Takes the package off sale; publishing a draft puts it on sale again. */
export const takeOffSale = async (stored: Package) => {
  packageSaved(await call(retireVersion, sent(stored)));
  toast(`${stored.name} is no longer on sale.`);
};

export const unschedule = async (stored: Package) => {
  packageSaved(await call(unschedulePackage, sent(stored)));
  toast(`Version ${stored.scheduled?.number ?? ""} is a draft again.`);
};

export const startFrom = async (stored: Package, from: number) => {
  const saved = await call(startDraft, { params: { id: stored.id }, body: { from } });
  packageSaved(saved);
  toast(`Version ${saved.draft?.number ?? ""} is a draft now, with everything of version ${from}.`);
};
