import { allows } from "@purser/contract/auth/permissions";
import type { ListJob } from "@purser/contract/http/listJobs";
import type { FastifyInstance } from "fastify";
import type { Session } from "../../auth/sessions/sessions.ts";
import type { Db } from "../../db/db.ts";
import { Problem } from "../../http/problem.ts";
import { message } from "../../messages.ts";
import { countRunning, type findJob } from "./queries.ts";
import type { BulkAction } from "./sources.ts";

type Stored = NonNullable<Awaited<ReturnType<typeof findJob>>>;

export const undoOf = (
  { listSources }: FastifyInstance,
  { list, action }: Pick<Stored, "list" | "action">,
) => listSources.get(list)?.bulk?.actions[action as BulkAction]?.undo ?? null;

/** A job as its starter sees it. */
export const shown = (
  app: FastifyInstance,
  { isUndone, ...job }: Stored,
  starter: Session,
): ListJob => {
  const { bulk } = app.listSources.get(job.list) ?? {};
  const mayUndo =
    bulk !== undefined && allows(starter, bulk.permission) && undoOf(app, job) !== null;
  return {
    ...job,
    canUndo: mayUndo && !isUndone && job.status !== "running" && job.done > 0,
  };
};

const runningMax = 5;

export const refuseMany = async (db: Db, userId: string) => {
  if ((await countRunning(db, userId)) >= runningMax)
    throw new Problem(
      "wrong_state",
      message(
        "list_jobs_running",
        "{count, plural, one {# of your jobs is} other {# of your jobs are}} still running. Wait for one to finish.",
        { count: runningMax },
      ),
    );
};
