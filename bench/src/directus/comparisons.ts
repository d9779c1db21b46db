import type { FieldDeclarations } from "@purser/contract/fields/declarations";
import { transactionFields } from "@purser/contract/transactions/fields";
import { userFields } from "@purser/contract/users/fields";
import { snakeCase } from "../../../server/src/platform/db/names.ts";
import { heavyCustomer } from "../scale/outliers.ts";
import type { BenchDatabase } from "../setup/database.ts";

/** The same page as a request to each. */
export type Comparison = { name: string; ours: string; theirs: string };

/** The columns that the product returns, except for those that it calculates or reads from other tables. */
const columnsOf = (declared: FieldDeclarations, others: string[]) =>
  Object.entries(declared).flatMap(([name, { read, column }]) =>
    read && !others.includes(name) ? [snakeCase(column ?? name)] : [],
  );

const calculated = ["user", "package", "interval", "intervalCount", "parent"];
const columns = columnsOf(transactionFields, calculated);
const references = ["user_id", "package_id", "version_id", "price_id", "parent_id"];
const referenced = [
  ...["user_id.id", "user_id.name", "user_id.email"],
  ...["package_id.id", "package_id.name", "version_id.number"],
  ...["price_id.interval", "price_id.interval_count"],
  ...["parent_id.id", "parent_id.number"],
];
const related = ["snapshot", "lines.*", "events.*", "refunds.*", "credits.*"];
const userColumns = columnsOf(userFields, ["packages", "renewsAt", "spent", "invitedUntil"]);

const directusPath = (path: string, fields: string[], rest: Record<string, string> = {}) =>
  `/items/${path}?${new URLSearchParams({ fields: fields.join(","), ...rest })}`;

const newest = { sort: "-occurred_at,-id", limit: "25" };

/** The package with the most of the newest payments. */
const findPackage = async ({ query }: BenchDatabase) => {
  const [row] = await query<{ id: string }>(
    `select package_id as id from (
       select package_id from transactions where state = 'succeeded' and package_id is not null
       order by occurred_at desc, id desc limit 10000) newest
     group by package_id order by count(*) desc, package_id limit 1`,
  );
  if (!row) throw new Error("There is no package with a payment.");
  return row.id;
};

/** A purchase with lines and events of a customer with few payments. */
const findSale = async ({ query }: BenchDatabase) => {
  const [row] = await query<{ id: string }>(
    `select t.id from transactions t join users u on u.id = t.user_id
     where t.kind = 'purchase' and t.state = 'succeeded' and u.email <> $1
       and exists (select from transaction_lines l where l.transaction_id = t.id)
       and exists (select from transaction_events e where e.transaction_id = t.id)
     order by t.occurred_at desc, t.id desc offset 1000 limit 1`,
    [heavyCustomer],
  );
  if (!row) throw new Error("There is no purchase with lines and events.");
  return row.id;
};

/** Without a count of rows, because Directus counts only on request, and then all of them. */
export const findComparisons = async (database: BenchDatabase): Promise<Comparison[]> => {
  const packageId = await findPackage(database);
  const saleId = await findSale(database);
  const page = "/api/transactions?count=none";
  const sale = { ours: `/api/transactions/${saleId}`, path: `transactions/${saleId}` };
  return [
    {
      name: "first page of transactions",
      ours: page,
      theirs: directusPath("transactions", [...columns, ...referenced], newest),
    },
    {
      name: "first page of transactions, Directus without names",
      ours: page,
      theirs: directusPath("transactions", [...columns, ...references], newest),
    },
    {
      name: "transactions by status and package",
      ours: `${page}&f=state:any:succeeded&f=package:any:${packageId}`,
      theirs: directusPath("transactions", [...columns, ...referenced], {
        ...newest,
        "filter[state][_eq]": "succeeded",
        "filter[package_id][_eq]": packageId,
      }),
    },
    {
      name: "one transaction with lines, events, refunds",
      ours: sale.ours,
      theirs: directusPath(sale.path, [...columns, ...referenced, ...related]),
    },
    {
      name: "one transaction, Directus the row and names only",
      ours: sale.ours,
      theirs: directusPath(sale.path, [...columns, ...referenced]),
    },
    {
      name: "first page of users",
      ours: "/api/users?count=none",
      theirs: directusPath("users", userColumns, { sort: "-id", limit: "25" }),
    },
  ];
};
