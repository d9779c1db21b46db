import { randomUUID } from "node:crypto";
import { grantAccess } from "@purser/contract/entitlements/grants";
import type { TestProduct } from "../../../testing.ts";

type TeamMember = Awaited<ReturnType<TestProduct["signIn"]>>;
type Granted = { packageId: string } | { featureId: string; value: boolean | number | string };

/** Customers, grants by a team member, and grants of other days. */
export const grantsIn = ({ call, owner }: TestProduct, support: TeamMember) => {
  const newEmail = () => `${randomUUID()}@example.com`;

  const newCustomer = async ({ email = newEmail(), name = "Ada", status = "active" } = {}) => {
    const { rows } = await owner.query<{ id: string }>(
      "insert into users (email, name, status) values ($1, $2, $3) returning id",
      [email, name, status],
    );
    return { id: rows[0]?.id ?? "", email, name };
  };

  const grantTo = (
    email: string,
    granted: Granted,
    { endsAt = null, by = support }: { endsAt?: string | null; by?: TeamMember } = {},
  ) =>
    call(by, grantAccess, {
      body: { email, ...granted, endsAt, reason: "A gift for their patience." },
    });

  /** A grant of the version on sale. The days are relative to now. */
  const insertGrant = async (
    userId: string,
    packageId: string,
    days: [number, number],
    { recordedDaysAgo = 0 } = {},
  ) => {
    const { rows } = await owner.query<{ id: string }>(
      `insert into grants (user_id, package_id, version_id, source, source_id, starts_at, ends_at, promised_until,
         created_at)
       select $1, $2, id, 'import', 'test', now() + $3 * interval '1 day', now() + $4 * interval '1 day',
         now() + $4 * interval '1 day', now() - $5 * interval '1 day'
       from package_versions where package_id = $2 and state = 'on sale' returning id`,
      [userId, packageId, ...days, recordedDaysAgo],
    );
    return rows[0]?.id ?? "";
  };

  /** Makes all apps and features one year older. */
  const backdateCatalog = async () => {
    // One query, because turning triggers off affects only its connection.
    await owner.query(
      `set session_replication_role = replica;
       update apps set created_at = created_at - interval '1 year';
       update features set created_at = created_at - interval '1 year';
       set session_replication_role = origin`,
    );
  };

  return { newEmail, newCustomer, grantTo, insertGrant, backdateCatalog };
};
