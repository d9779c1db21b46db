import { decimalAmount } from "@purser/contract/fields/amounts";
import type { Message } from "@purser/contract/messages/message";
import type { RevenueGroup } from "@purser/contract/reports/endpoints";
import { type MovementKind, movementKinds } from "@purser/contract/reports/recurring";
import { daysOfRange, type ReportSearch, usualRanges } from "@purser/contract/reports/search";
import { shares } from "@purser/contract/reports/shares";
import type { Db } from "#platform/db/db.ts";
import { message } from "#platform/messages.ts";
import { type Clock, readAbout } from "./about.ts";
import { findMrr, findMrrByPackage, findRetention } from "./queries.ts";
import { readAppShare, readRevenue } from "./revenue.ts";
import { cohortsOf, type MrrChange, mrrPackages, mrrPeriods } from "./rules.ts";

/** A code that has a name in each language. */
type Named = { country: string } | { tax: string };
type Cell = string | number | null | Message | Named;

/** A column with the name by which the page sorts it, if it can. */
type Column<Row> = { id?: string; head: Cell; cell: (row: Row) => Cell };

/** A report as a table, with texts that are not translated yet. */
export type Table = { ids: (string | undefined)[]; head: Cell[]; rows: Cell[][] };

const tableOf = <Row>(columns: readonly Column<Row>[], rows: readonly Row[]): Table => ({
  ids: columns.map(({ id }) => id),
  head: columns.map(({ head }) => head),
  rows: rows.map((row) => columns.map(({ cell }) => cell(row))),
});

const column = {
  app: message("report_column_app", "App"),
  change: message("report_column_change", "Change"),
  charged: message("report_column_charged", "Charged"),
  closing: message("report_column_closing", "Closing MRR"),
  cohort: message("report_column_cohort", "Cohort"),
  country: message("report_column_country", "Country"),
  currency: message("report_column_currency", "Currency"),
  customers: message("report_column_customers", "Customers"),
  discount: message("report_column_discount", "Discount"),
  from: message("report_column_from", "From"),
  listPrice: message("report_column_list_price", "List price"),
  net: message("report_column_net", "Net revenue"),
  netMovement: message("report_column_net_movement", "Net"),
  opening: message("report_column_opening", "Opening MRR"),
  package: message("report_column_package", "Package"),
  payments: message("report_column_payments", "Payments"),
  previous: message("report_column_previous", "Previous period"),
  promotion: message("report_column_promotion", "Promotion"),
  redemptions: message("report_column_redemptions", "Redemptions"),
  returned: message("report_column_returned", "Refunds and disputes"),
  share: message("report_column_share", "Share"),
  subscribers: message("report_column_subscribers", "Subscribers"),
  tax: message("report_column_tax", "Tax"),
  total: message("report_column_total", "Total"),
  until: message("report_column_until", "To"),
};

const movement: Record<MovementKind, Message> = {
  new: message("report_movement_new", "New"),
  expansion: message("report_movement_expansion", "Expansion"),
  reactivation: message("report_movement_reactivation", "Reactivation"),
  contraction: message("report_movement_contraction", "Contraction"),
  churn: message("report_movement_churn", "Churn"),
};

type Group = Exclude<RevenueGroup, "total">;

const without: Record<Group, Message> = {
  package: message("report_without_package", "Without a package"),
  app: message("report_without_app", "Without an app"),
  country: message("report_without_country", "Unknown country"),
  promotion: message("report_without_promotion", "Without a promotion"),
  tax: message("report_without_tax", "No tax"),
};

const nameOf = (key: string, name: string | null, group: Group): Cell => {
  if (key === "") return without[group];
  if (group === "country") return { country: key };
  return group === "tax" ? { tax: key } : (name ?? key);
};

/** Payments with a promotion. Each counts once, under the highest discount. */
const redemptionsOf = ({ key, payments }: { key: string; payments: number | null }) =>
  key === "" ? 0 : payments;

type About = Awaited<ReturnType<typeof readAbout>>;
type Read = (db: Db, about: About, search: ReportSearch) => Promise<Table>;

/** Exact and with a point, whatever the language. */
const moneyIn =
  ({ currency }: About) =>
  (minor: number) =>
    Number(decimalAmount(minor, currency));

/** Rounded, because a share isn't an amount. */
const shareOf = (part: number, whole: number) =>
  whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000;

const revenueBy = async (db: Db, about: About, group: Group, search: ReportSearch) => {
  const { currency, from, until, previous } = about;
  const money = moneyIn(about);
  const asked = { currency, group, unit: "month", rule: search.rule ?? "list price" } as const;
  const { groups } = await readRevenue(db, asked, { from, until }, previous);
  const parts = shares(groups.map(({ measures }) => measures.net));
  const rows = groups.map((one, place) => ({ ...one, ...one.measures, share: parts[place] ?? 0 }));
  type Row = (typeof rows)[number];
  const ofPromotions: Column<Row>[] = [
    { id: "redemptions", head: column.redemptions, cell: redemptionsOf },
    { id: "discount", head: column.discount, cell: ({ discount }) => money(discount) },
  ];
  return tableOf<Row>(
    [
      { id: "name", head: column[group], cell: ({ key, name }) => nameOf(key, name, group) },
      { id: "payments", head: column.payments, cell: ({ payments }) => payments },
      ...(group === "promotion" ? ofPromotions : []),
      { id: "charged", head: column.charged, cell: ({ charged }) => money(charged) },
      { id: "tax", head: column.tax, cell: ({ tax }) => money(tax) },
      {
        id: "returned",
        head: column.returned,
        cell: ({ refunds, disputes }) => money(refunds + disputes),
      },
      { id: "net", head: column.net, cell: ({ net }) => money(net) },
      { id: "share", head: column.share, cell: ({ share }) => share },
      {
        id: "previous",
        head: column.previous,
        cell: ({ previous: before }) => before && money(before.net),
      },
      {
        id: "change",
        head: column.change,
        cell: ({ net, previous: before }) =>
          before && shareOf(net - before.net, Math.abs(before.net)),
      },
      { head: column.currency, cell: () => currency },
    ],
    rows,
  );
};

const readMrr: Read = async (db, about, { unit = "month", by, package: packageId = null }) => {
  const money = moneyIn(about);
  const columns: Column<MrrChange>[] = [
    { id: "opening", head: column.opening, cell: ({ opening }) => money(opening) },
    ...movementKinds.map((kind) => ({
      id: kind,
      head: movement[kind],
      cell: (one: MrrChange) => money(one[kind].amount),
    })),
    {
      id: "net",
      head: column.netMovement,
      cell: ({ opening, closing }) => money(closing - opening),
    },
    { id: "closing", head: column.closing, cell: ({ closing }) => money(closing) },
    { head: column.subscribers, cell: ({ closingSubscribers }) => closingSubscribers },
    { head: column.currency, cell: () => about.currency },
  ];
  if (by === "package") {
    const packages = mrrPackages(await findMrrByPackage(db, about));
    const name = ({ name: known }: { name: string | null }) => known ?? without.package;
    return tableOf([{ id: "name", head: column.package, cell: name }, ...columns], packages);
  }
  const periods = mrrPeriods(await findMrr(db, { ...about, unit, packageId }), about, unit);
  return tableOf(
    [
      { id: "name", head: column.from, cell: ({ day }: { day: string }) => day },
      { head: column.until, cell: ({ until }: { until: string }) => until },
      ...columns,
    ] as Column<(typeof periods)[number]>[],
    periods.toReversed(),
  );
};

const readRetention: Read = async (db, about) => {
  const cohorts = cohortsOf(await findRetention(db, about), about.until);
  const months = Math.max(0, ...cohorts.map(({ active }) => active.length));
  const places = Array.from({ length: months }, (_, place) => place);
  return tableOf<(typeof cohorts)[number]>(
    [
      { id: "name", head: column.cohort, cell: ({ month }) => month },
      { id: "customers", head: column.customers, cell: ({ customers }) => customers },
      ...places.map((place) => ({
        id: `month.${place}`,
        head: message("report_column_month", "Month {place}", { place }),
        cell: ({ active, customers }: (typeof cohorts)[number]) => {
          const left = active[place];
          return left === undefined ? null : shareOf(left, customers);
        },
      })),
    ],
    cohorts,
  );
};

const readShares: Read = async (db, about, { rule = "list price" }) => {
  const money = moneyIn(about);
  const { apps, packages } = await readAppShare(db, { ...about, rule });
  const parts = shares(apps.map(({ net }) => net));
  const rows = apps.map((app, place) => ({ ...app, share: parts[place] ?? 0 }));
  type Row = (typeof rows)[number];
  return tableOf<Row>(
    [
      { id: "name", head: column.app, cell: ({ name }) => name ?? without.app },
      {
        id: "price",
        head: column.listPrice,
        cell: ({ listPrice }) => listPrice && money(listPrice),
      },
      ...packages.map(({ key, name }, place) => ({
        id: `package.${key}`,
        head: name ?? without.package,
        cell: ({ packages: own }: Row) => {
          const part = own[place];
          return typeof part === "number" ? money(part) : null;
        },
      })),
      { id: "net", head: column.total, cell: ({ net }) => money(net) },
      { id: "share", head: column.share, cell: ({ share }) => share },
      { head: column.currency, cell: () => about.currency },
    ],
    rows,
  );
};

const readers: Record<ReportSearch["tab"], Read> = {
  revenue: (db, about, search) => revenueBy(db, about, search.group ?? "package", search),
  tax: (db, about, search) => revenueBy(db, about, "tax", search),
  promotions: (db, about, search) => revenueBy(db, about, "promotion", search),
  mrr: readMrr,
  retention: readRetention,
  "app-share": readShares,
};

/** The table of a report as its address describes it, with the days up to today. */
export const readTable = async (db: Db, search: ReportSearch, clock: Clock) => {
  const { tab, currency, compare = "previous" } = search;
  const about = await readAbout(db, { currency, compare }, clock, (today) =>
    daysOfRange(search, usualRanges[tab], today),
  );
  const table = await readers[tab](db, about, search);
  const { from, until, currency: shown } = about;
  return { ...table, sort: search.sort, from, until, currency: shown };
};
