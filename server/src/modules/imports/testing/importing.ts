import type { Wire } from "@purser/contract/http/endpoint";
import { startImport } from "@purser/contract/workspace/importActions";
import {
  createImport,
  getImport,
  type ImportKind,
  listImportRows,
  mapImport,
  uploadImportPart,
} from "@purser/contract/workspace/imports";
import { stepsOf } from "#platform/jobs/work.ts";
import type { TestProduct } from "#testing.ts";
import { checkImport, runImport, undoImportJob } from "../jobs.ts";

/** Imports files as a team member does, with the jobs at once. */
export const importing = (
  { call, platform }: TestProduct,
  caller: { cookie: string },
  kind: ImportKind = "customers",
) => {
  const { db, queues, announcements } = platform;
  const runJob = (job: typeof runImport, id: string) =>
    job.run(
      {
        db,
        now: platform.now(),
        step: stepsOf(queues, { db, announce: announcements.announce })(job.name),
        enqueue: queues.enqueueIn(db),
      },
      { id },
    );
  const upload = async (text: string, name = `${kind}.csv`) => {
    const { body } = await call(caller, createImport, { body: { kind, name } });
    const { id } = body;
    await call(caller, uploadImportPart, {
      params: { id, part: "1" },
      body: { text, isLast: true },
    });
    return (await call(caller, getImport, { params: { id } })).body;
  };
  /** How the file is written, where its values don't show it. */
  type Written = Pick<Wire<typeof mapImport>["body"], "decimalMark" | "dateOrder">;
  const check = async (id: string, mapping: (string | null)[], written: Written = {}) => {
    const mapped = await call(caller, mapImport, { params: { id }, body: { mapping, ...written } });
    if (mapped.status !== 200) return mapped.body;
    await runJob(checkImport, id);
    return (await call(caller, getImport, { params: { id } })).body;
  };
  const start = async (id: string) => {
    await call(caller, startImport, { params: { id }, body: {} });
    await runJob(runImport, id);
    return (await call(caller, getImport, { params: { id } })).body;
  };
  return {
    runJob,
    upload,
    check,
    start,
    /** The first error of each rejected row. */
    errorsOf: async (id: string) => {
      const query = { show: "rejected" } as const;
      const { body } = await call(caller, listImportRows, { params: { id }, query });
      return body.items.map(({ row, errors }) => [row, errors[0]?.field, errors[0]?.message.code]);
    },
    undo: (id: string) => runJob(undoImportJob, id),
    /** The whole way with the recognized columns. */
    all: async (text: string) => {
      const { id, mapping } = await upload(text);
      await check(id, mapping);
      return start(id);
    },
  };
};
