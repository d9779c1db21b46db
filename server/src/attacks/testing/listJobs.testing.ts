import type pg from "pg";

/** A job of the user that was stopped. */
export const makeStoppedJob = async (owner: pg.Pool, userId: string) => {
  const { rows } = await owner.query<{ id: string }>(
    `insert into list_jobs (user_id, list, action, query, reason, started_at, status, finished_at)
     values ($1, 'users', 'suspend', '{}', 'Private text', now(), 'stopped', now()) returning id`,
    [userId],
  );
  const id = rows[0]?.id ?? "";
  return { id, rows: `select * from list_jobs where id = '${id}'` };
};

/** What such a job refuses because of its state, and not as a missing one. */
export const refusedWhenStopped = new Set(["stopListJob", "undoListJob", "downloadListJob"]);
