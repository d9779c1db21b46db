import { randomUUID } from "node:crypto";
import { giveAccess } from "@purser/contract/rights";
import type { TestProduct } from "../../testing.ts";

type Person = Awaited<ReturnType<TestProduct["signIn"]>>;
type Asked = { packageId: string } | { featureId: string; value: boolean | number | string };

/** What tests of rights do again and again: people, rights given by staff, rights of other days. */
export const rightsIn = ({ call, owner }: TestProduct, support: Person) => {
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
  const insertGrant = async (userId: string, packageId: string, days: [number, number]) => {
    const { rows } = await owner.query<{ id: string }>(
      `insert into grants (user_id, package_id, version_id, source, source_id, starts_at, ends_at)
       select $1, $2, id, 'import', 'test', now() + $3 * interval '1 day', now() + $4 * interval '1 day'
       from package_versions where package_id = $2 and state = 'on sale' returning id`,
      [userId, packageId, ...days],
    );
    return rows[0]?.id ?? "";
  };

  return { newAddress, newPerson, giveTo, insertGrant };
};
