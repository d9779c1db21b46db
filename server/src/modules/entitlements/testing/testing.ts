import { randomUUID } from "node:crypto";
import { giveAccess } from "@purser/contract/entitlements/grants";
import type { TestProduct } from "../../../testing.ts";

type Person = Awaited<ReturnType<TestProduct["signIn"]>>;
type Asked = { packageId: string } | { featureId: string; value: boolean | number | string };

/** What tests of rights do again and again: people, rights given by staff, rights of other days. */
export const grantsIn = ({ call, owner }: TestProduct, support: Person) => {
  const newAddress = () => `${randomUUID()}@example.com`;

  const newPerson = async ({ email = newAddress(), name = "Ada", status = "active" } = {}) => {
    const { rows } = await owner.query<{ id: string }>(
      "insert into users (email, name, status) values ($1, $2, $3) returning id",
      [email, name, status],
    );
    return { id: rows[0]?.id ?? "", email, name };
  };

  const giveTo = (
    email: string,
    asked: Asked,
    { endsAt = null, by = support }: { endsAt?: string | null; by?: Person } = {},
  ) =>
    call(by, giveAccess, {
      body: { email, ...asked, endsAt, reason: "A gift for their patience." },
    });

  /** A right to the version on sale, from and until so many days from now. */
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

  /** As if everything that is sold had been there for a year. */
  const letCatalogueBeOld = async () => {
    // In one go, because the connection that triggers rest on must be the same.
    await owner.query(
      `set session_replication_role = replica;
       update apps set created_at = created_at - interval '1 year';
       update features set created_at = created_at - interval '1 year';
       set session_replication_role = origin`,
    );
  };

  return { newAddress, newPerson, giveTo, insertGrant, letCatalogueBeOld };
};
