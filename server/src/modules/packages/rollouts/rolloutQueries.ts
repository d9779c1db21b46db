import { type Db, first, run } from "#platform/db/db.ts";
import { type RowOf, statement } from "#platform/db/statement.ts";

const shown = `
  r.id, r.package_id as "packageId", v.number, r.mode, r.status, r.starts_at as "startsAt", r.holders as subscribers,
  r.moved as migrated, r.planned, r.kept, r.finished_at as "finishedAt", r.version, r.created_at as "createdAt"`;

const rollouts = statement(
  "packages.rollouts",
  `select ${shown} from rollouts r join package_versions v on v.id = r.version_id`,
);
const ofPackage = rollouts.with("where r.package_id = $1 order by r.id desc");
const one = rollouts.with("where r.id = $1");
const lockedOne = one.with("for update of r");

export const findRollouts = (db: Db, packageId: string) => run(db, ofPackage, [packageId]);

export const findRollout = (db: Db, id: string) => first(db, one, [id]);

export const lockRollout = (db: Db, id: string) => first(db, lockedOne, [id]);

export const setRolloutStatus = async (db: Db, id: string, status: "paused" | "waiting") => {
  await run(db, "update rollouts set status = $2 where id = $1", [id, status]);
};

const findDueRolloutsSql = statement(
  "packages.findDueRollouts",
  "select id from rollouts where status in ('waiting', 'running') and starts_at <= $1 order by id",
);

/** Rollouts whose start has come, including those whose worker died. */
export const findDueRollouts = (db: Db, now: Date) => run(db, findDueRolloutsSql, [now]);

const batchSize = 1000;

const lockStepSql = statement(
  "packages.lockStep",
  `select id, mode, package_id as "packageId", version_id as "versionId", reached from rollouts
   where id = $1 and status in ('waiting', 'running') and starts_at <= $2 for update`,
);

type Step = RowOf<typeof lockStepSql>;

const lockStep = (db: Db, id: string, now: Date) => first(db, lockStepSql, [id, now]);

/** Whether a row of subscriptions will renew. */
export const renews = (row: string) =>
  `${row}.status in ('trialing', 'active', 'past due', 'paused')`;

const lockNextSql = statement(
  "packages.lockNext",
  `select g.id, s.id is not null as renews from grants g
   left join subscriptions s on s.id = g.subscription_id and ${renews("s")}
   where g.package_id = $1 and g.id > coalesce($2, '00000000-0000-0000-0000-000000000000'::uuid)
     and g.version_id <> $3 and g.ends_at > greatest($4, g.starts_at)
   order by g.id limit ${batchSize} for update of g`,
).narrow<{ renews: boolean }>();

// Grants in force or yet to begin, but not those revoked before they began. In the order of the ids,
// because new grants come later and already have the new version.
const lockNext = (db: Db, { packageId, versionId, reached }: Step, now: Date) =>
  run(db, lockNextSql, [packageId, reached, versionId, now]);

/** Reads the last batch twice, because a grant transferred to another customer while this waited was not visible. */
const lockGrants = async (db: Db, step: Step, now: Date) => {
  const grants = await lockNext(db, step, now);
  return grants.length < batchSize ? lockNext(db, step, now) : grants;
};

/** Ends each grant now and adds one to the new version with the same end. */
const migrateGrants = async (db: Db, { id, versionId }: Step, ids: string[], now: Date) => {
  await run(
    db,
    `with was as (
       select id, ends_at from grants where id = any ($1::uuid[])
     ), ended as (
       update grants g set ends_at = greatest(g.starts_at, $2), superseded_by = uuid_v7()
       from was where g.id = was.id returning g.*, was.ends_at as until
     )
     insert into grants (id, user_id, package_id, version_id, subscription_id, source, source_id, reason,
       starts_at, ends_at, promised_until)
     select superseded_by, user_id, package_id, $3, subscription_id, source, source_id, reason,
       ends_at, until, until from ended`,
    [ids, now, versionId],
  );
  await run(
    db,
    `update subscriptions s set version_id = $2, next_version_id = null from grants g
     where g.id = any ($1::uuid[]) and s.id = g.subscription_id and s.status <> 'ended'`,
    [ids, versionId],
  );
  await run(
    db,
    `insert into rollout_moves (rollout_id, grant_id, user_id, from_version_id, outcome, effective_at, new_grant_id)
     select $2, g.id, g.user_id, g.version_id, 'migrated', g.ends_at, g.superseded_by
     from grants g where g.id = any ($1::uuid[])`,
    [ids, id],
  );
};

/** Sets the version that each subscription renews to; grants that never renew are left unchanged. */
const planGrants = async (db: Db, { id, versionId }: Step, ids: string[]) => {
  await run(
    db,
    `update subscriptions s set next_version_id = $2 from grants g
     where g.id = any ($1::uuid[]) and s.id = g.subscription_id
       and ${renews("s")}`,
    [ids, versionId],
  );
  await run(
    db,
    `insert into rollout_moves (rollout_id, grant_id, user_id, from_version_id, outcome, effective_at)
     select $2, g.id, g.user_id, g.version_id, case when s.id is null then 'kept' else 'at renewal' end, s.period_end
     from grants g left join subscriptions s on s.id = g.subscription_id
       and ${renews("s")}
     where g.id = any ($1::uuid[])`,
    [ids, id],
  );
};

/**
 * Migrates the next batch and stores its progress in one transaction, so that another worker can continue
 * after a crash. Returns whether there may be more.
 */
export const takeStep = async (db: Db, id: string, now: Date) => {
  const step = await lockStep(db, id, now);
  if (!step) return false;
  const grants = await lockGrants(db, step, now);
  const ids = grants.map((grant) => grant.id);
  const renewing = grants.filter(({ renews }) => renews).length;
  if (step.mode === "renewal") await planGrants(db, step, ids);
  else if (ids.length > 0) await migrateGrants(db, step, ids, now);
  const isLast = grants.length < batchSize;
  const atRenewal = step.mode === "renewal";
  await run(
    db,
    `update rollouts set reached = coalesce($2, reached), moved = moved + $3, planned = planned + $4,
       kept = kept + $5, status = $6, finished_at = $7,
       -- Customers may have subscribed or left since publishing.
       holders = case when $6 = 'done' then moved + planned + kept + $3 + $4 + $5 else holders end
     where id = $1`,
    [
      id,
      ids.at(-1) ?? null,
      atRenewal ? 0 : grants.length,
      atRenewal ? renewing : 0,
      atRenewal ? grants.length - renewing : 0,
      isLast ? "done" : "running",
      isLast ? now : null,
    ],
  );
  return !isLast;
};

const migrationsPerPage = 25;

const migrations = statement(
  "packages.rolloutMigrations",
  `select m.grant_id as "grantId", u.id as "userId", u.name, u.email, v.number as "from", m.outcome,
     m.effective_at as "effectiveAt"
   from rollout_moves m join users u on u.id = m.user_id join package_versions v on v.id = m.from_version_id
   where m.rollout_id = $1`,
);
const pageOfMigrations = migrations.with(
  `and m.grant_id > $2 order by m.grant_id limit ${migrationsPerPage + 1}`,
);
const allMigrations = migrations.with("order by m.grant_id");

export const findMigrations = async (db: Db, rolloutId: string, after: string | undefined) => {
  const rows = await run(db, pageOfMigrations, [
    rolloutId,
    after ?? "00000000-0000-0000-0000-000000000000",
  ]);
  const page = rows.slice(0, migrationsPerPage);
  return {
    items: page.map(({ userId, name, email, ...migration }) => ({
      ...migration,
      customer: { id: userId, name, email },
    })),
    next: rows.length > migrationsPerPage ? (page.at(-1)?.grantId ?? null) : null,
  };
};

export const migrationsStatement = (rolloutId: string) => ({
  statement: allMigrations,
  values: [rolloutId],
});
