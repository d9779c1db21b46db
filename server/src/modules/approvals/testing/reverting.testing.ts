import { listAudit, previewRevert, revertEntry } from "@purser/contract/workspace/audit";
import { expect } from "vitest";
import type { TestProduct } from "../../../testing.ts";

type Person = { cookie: string };

/** Finds, previews and reverts audit entries as an owner, or as another team member. */
export const revertingAs = ({ call }: TestProduct, boss: Person) => {
  const newestOf = async (record: string, entity?: string) => {
    const f = [`record:any:${record}`, ...(entity ? [`entity:any:${entity}`] : [])];
    const [entry] = (await call(boss, listAudit, { query: { f } })).body.items;
    if (!entry) throw new Error("There is no entry.");
    return entry;
  };

  const preview = async (id: string, as: Person = boss) =>
    (await call(as, previewRevert, { params: { id } })).body;

  const revert = async (id: string, as: Person = boss) => {
    const { version, refusal } = await preview(id, as);
    expect(refusal).toBeNull();
    return call(as, revertEntry, {
      params: { id },
      ...(version && { version }),
      body: { reason: "Set back." },
    });
  };

  return { newestOf, preview, revert };
};
