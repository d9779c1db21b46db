import type { Value } from "@purser/contract/fields/values";
import type pg from "pg";

export type Given = { appId: string; featureId: string; value: Value };
type VersionState = "draft" | "scheduled" | "on sale" | "superseded" | "retired";

const steps: Record<VersionState, VersionState[]> = {
  draft: [],
  scheduled: ["scheduled"],
  "on sale": ["on sale"],
  superseded: ["on sale", "superseded"],
  retired: ["on sale", "retired"],
};

/** Creates packages with SQL, because tests of features can't import modules above them. */
export const packagesIn = (owner: Pick<pg.ClientBase, "query">) => {
  const insert = async (statement: string, values: unknown[]) => {
    const { rows } = await owner.query<{ id: string }>(`${statement} returning id`, values);
    return rows[0]?.id ?? "";
  };

  const newPackage = (code: string) =>
    insert(
      `insert into packages (code, name, kind, visibility) values ($1, upper($1), 'base', 'public')`,
      [code],
    );

  const newVersion = async (packageId: string, state: VersionState, given: Given[]) => {
    // Locks the package first, as the product does.
    const id = await insert(
      `insert into package_versions (package_id, number)
       select $1, 1 + count(*) from package_versions
       where package_id = (select id from packages where id = $1 for update)`,
      [packageId],
    );
    for (const { appId, featureId, value } of given) {
      await owner.query("insert into version_apps values ($1, $2) on conflict do nothing", [
        id,
        appId,
      ]);
      await owner.query(
        "insert into version_values (version_id, app_id, feature_id, value) values ($1, $2, $3, $4)",
        [id, appId, featureId, JSON.stringify(value)],
      );
    }
    for (const step of steps[state])
      await owner.query(
        `update package_versions set state = $2, note = 'For a test',
           publish_at = case when $2 = 'scheduled' then now() end,
           published_at = case when $2 <> 'scheduled' then coalesce(published_at, now()) end
         where id = $1`,
        [id, step],
      );
    return id;
  };

  /** A new customer with a grant to the version; the period is in days from now. */
  const newSubscriber = async (
    packageId: string,
    versionId: string,
    [from, to]: [number, number],
  ) => {
    const userId = await insert(
      "insert into users (email, name, status) values (gen_random_uuid() || '@example.com', 'A subscriber', 'active')",
      [],
    );
    await grant({ userId, packageId, versionId }, [from, to]);
    return userId;
  };

  type Grant = { userId: string; packageId: string; versionId: string };
  const grant = ({ userId, packageId, versionId }: Grant, [from, to]: [number, number]) =>
    owner.query(
      `insert into grants (user_id, package_id, version_id, source, source_id, starts_at, ends_at)
       values ($1, $2, $3, 'import', 'test', now() + $4 * interval '1 day', now() + $5 * interval '1 day')`,
      [userId, packageId, versionId, from, to],
    );

  return { newPackage, newVersion, newSubscriber, grant };
};
