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

/** A report as a table, with texts that are not translated yet. */
export type Table = { head: Cell[]; rows: Cell[][] };

const column = {
  app: message("report_column_app", "App"),
  charged: message("report_column_charged", "Charged"),
  closing: message("report_column_closing", "Closing MRR"),
  cohort: message("report_column_cohort", "Cohort"),
  country: message("report_column_country", "Country"),
  currency: message("report_column_currency", "Currency"),
  customers: message("report_column_customers", "Customers"),
  discount: message("report_column_discount", "Discount"),
  disputes: message("report_column_disputes", "Disputes"),
  from: message("report_column_from", "From"),
  net: message("report_column_net", "Net revenue"),
  opening: message("report_column_opening", "Opening MRR"),
  package: message("report_column_package", "Package"),
  payments: message("report_column_payments", "Payments"),
  previous: message("report_column_previous", "Previous period"),
  promotion: message("report_column_promotion", "Promotion"),
  refunds: message("report_column_refunds", "Refunds"),
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

type About = Awaited<ReturnType<typeof readAbout>>;
type Read = (db: Db, about: About, search: ReportSearch) => Promise<Table>;

/** Exact and with a point, whatever the language. */
const moneyIn =
  ({ currency }: About) =>
  (minor: number) =>
    Number(decimalAmount(minor, currency));

const revenueBy = async (db: Db, about: About, group: Group, search: ReportSearch) => {
  const { currency, from, until, previous } = about;
  const money = moneyIn(about);
  const asked = { currency, group, unit: "month", rule: search.rule ?? "list price" } as const;
  const { groups } = await readRevenue(db, asked, { from, until }, previous);
  const parts = shares(groups.map(({ measures }) => measures.net));
  return {
    head: [
      ...[column[group], column.payments, column.charged, column.tax, column.refunds],
      ...[column.disputes, column.net, column.discount, column.share, column.previous],
      column.currency,
    ],
    rows: groups.map(({ key, name, measures, previous: before }, place) => [
      nameOf(key, name, group),
      measures.payments,
      ...[measures.charged, measures.tax, measures.refunds, measures.disputes].map(money),
      ...[measures.net, measures.discount].map(money),
      ...[parts[place] ?? 0, before && money(before.net), currency],
    ]),
  };
};

const readMrr: Read = async (db, about, { unit = "month", by, package: packageId = null }) => {
  const money = moneyIn(about);
  const head = [
    ...[column.opening, ...movementKinds.map((kind) => movement[kind])],
    ...[column.closing, column.subscribers, column.currency],
  ];
  const cells = (one: MrrChange) => [
    ...[money(one.opening), ...movementKinds.map((kind) => money(one[kind].amount))],
    ...[money(one.closing), one.closingSubscribers, about.currency],
  ];
  if (by === "package") {
    const packages = mrrPackages(await findMrrByPackage(db, about));
    return {
      head: [column.package, ...head],
      rows: packages.map((one) => [one.name ?? without.package, ...cells(one)]),
    };
  }
  const periods = mrrPeriods(await findMrr(db, { ...about, unit, packageId }), about, unit);
  return {
    head: [column.from, column.until, ...head],
    rows: periods.map((period) => [period.day, period.until, ...cells(period)]),
  };
};

const readRetention: Read = async (db, about) => {
  const cohorts = cohortsOf(await findRetention(db, about), about.until);
  const months = Math.max(0, ...cohorts.map(({ active }) => active.length));
  const places = Array.from({ length: months }, (_, place) => place);
  return {
    head: [
      ...[column.cohort, column.customers],
      ...places.map((place) => message("report_column_month", "Month {place}", { place })),
    ],
    rows: cohorts.map(({ month, customers, active }) => [
      ...[month, customers],
      ...places.map((place) => active[place] ?? null),
    ]),
  };
};

const readShares: Read = async (db, about, { rule = "list price" }) => {
  const money = moneyIn(about);
  const { apps, packages } = await readAppShare(db, { ...about, rule });
  const parts = shares(apps.map(({ net }) => net));
  return {
    head: [
      column.app,
      ...packages.map(({ name }) => name ?? without.package),
      ...[column.total, column.share, column.currency],
    ],
    rows: apps.map(({ name, net, packages: own }, place) => [
      name ?? without.app,
      ...own.map((part) => part && money(part)),
      ...[money(net), parts[place] ?? 0, about.currency],
    ]),
  };
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
  return { ...table, from: about.from, until: about.until, currency: about.currency };
};
