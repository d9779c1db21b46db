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

// Several workers take steps at the same time, and pausing waits for all of them.
const lockStepSql = statement(
  "packages.lockStep",
  `select id, mode, package_id as "packageId", version_id as "versionId", reached from rollouts
   where id = $1 and status in ('waiting', 'running') and starts_at <= $2 for key share`,
);

type Step = RowOf<typeof lockStepSql>;

const lockStep = (db: Db, id: string, now: Date) => first(db, lockStepSql, [id, now]);

/** Whether a row of subscriptions will renew. */
export const renews = (row: string) =>
  `${row}.status in ('trialing', 'active', 'past due', 'paused')`;

// Grants in force or yet to begin, but not those revoked before they began. In the order of the ids,
// because new grants come later and already have the new version.
const waitingGrants = statement(
  "packages.waitingGrants",
  `select g.id, g.subscription_id as "subscriptionId" from grants g
   where g.package_id = $1 and g.id > coalesce($2, '00000000-0000-0000-0000-000000000000'::uuid)
     and g.version_id <> $3 and g.ends_at > greatest($4, g.starts_at) and g.superseded_by is null
     and not exists (select from rollout_moves m where m.rollout_id = $5 and m.grant_id = g.id)
   order by g.id`,
);
const nextGrant = waitingGrants.with("limit 1");
const lockedGrants = waitingGrants.with(`limit ${batchSize} for update of g`);
const freeGrants = waitingGrants.with(`limit ${batchSize} for update of g skip locked`);

type Grant = RowOf<typeof waitingGrants>;

const valuesOf = ({ id, packageId, versionId, reached }: Step, now: Date) => [
  packageId,
  reached,
  versionId,
  now,
  id,
];

/**
 * The next grants that nobody else has locked. If all that are left are locked, waits for them, and reads twice, because
 * a grant transferred to another customer while this waited was not visible.
 */
const lockGrants = async (db: Db, step: Step, now: Date) => {
  const values = valuesOf(step, now);
  const free = await run(db, freeGrants, values);
  if (free.length > 0 || !(await first(db, nextGrant, values))) return free;
  await run(db, lockedGrants, values);
  return run(db, lockedGrants, values);
};

const lockSubscriptionsSql = statement(
  "packages.lockSubscriptions",
  "select id from subscriptions where id = any ($1::uuid[]) for update skip locked",
);

/**
 * Leaves out grants whose subscription is locked. Renewals lock a subscription before its grants, so waiting for it
 * here could be a deadlock.
 */
const withSubscription = async (db: Db, grants: readonly Grant[]) => {
  const wanted = grants.flatMap(({ subscriptionId }) => subscriptionId ?? []);
  const locked = new Set((await run(db, lockSubscriptionsSql, [wanted])).map(({ id }) => id));
  return grants.filter(
    ({ subscriptionId }) => subscriptionId === null || locked.has(subscriptionId),
  );
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

const planGrantsSql = statement(
  "packages.planGrants",
  `insert into rollout_moves (rollout_id, grant_id, user_id, from_version_id, outcome, effective_at)
   select $2, g.id, g.user_id, g.version_id, case when s.id is null then 'kept' else 'at renewal' end, s.period_end
   from grants g left join subscriptions s on s.id = g.subscription_id
     and ${renews("s")}
   where g.id = any ($1::uuid[])
   -- Another worker can have planned it after this one found it.
   on conflict do nothing returning outcome`,
);

/** Sets the version that each subscription renews to; grants that never renew are left unchanged. */
const planGrants = async (db: Db, { id, versionId }: Step, ids: string[]) => {
  await run(
    db,
    `update subscriptions s set next_version_id = $2 from grants g
     where g.id = any ($1::uuid[]) and s.id = g.subscription_id
       and ${renews("s")}`,
    [ids, versionId],
  );
  const moves = await run(db, planGrantsSql, [ids, id]);
  const planned = moves.filter(({ outcome }) => outcome === "at renewal").length;
  return { moved: 0, planned, kept: moves.length - planned };
};

const none = { moved: 0, planned: 0, kept: 0 };

const moveGrants = async (db: Db, step: Step, ids: string[], now: Date) => {
  if (ids.length === 0) return none;
  if (step.mode === "renewal") return planGrants(db, step, ids);
  await migrateGrants(db, step, ids, now);
  return { ...none, moved: ids.length };
};

/**
 * Migrates the next batch and stores its progress in one transaction, so that another worker can continue
 * after a crash. Returns whether there may be more for this worker.
 */
export const takeStep = async (db: Db, id: string, now: Date) => {
  const step = await lockStep(db, id, now);
  if (!step) return false;
  const grants = await withSubscription(db, await lockGrants(db, step, now));
  const ids = grants.map((grant) => grant.id);
  const { moved, planned, kept } = await moveGrants(db, step, ids, now);
  const next = await first(db, nextGrant, valuesOf(step, now));
  // What other workers have locked comes before it, and they may crash.
  const reached = ids.filter((one) => !next || one < next.id).at(-1) ?? null;
  await run(
    db,
    `update rollouts set reached = greatest(reached, $2), moved = moved + $3, planned = planned + $4,
       kept = kept + $5, status = $6, finished_at = $7,
       -- Customers may have subscribed or left since publishing.
       holders = case when $6 = 'done' then moved + planned + kept + $3 + $4 + $5 else holders end
     where id = $1 and status in ('waiting', 'running')`,
    [id, reached, moved, planned, kept, next ? "running" : "done", next ? null : now],
  );
  return next !== undefined && ids.length > 0;
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
