import {
  databaseMsMax,
  isTimed,
  type Measured,
  type MeasuredAll,
  requestPagesMax,
} from "./measure.ts";
import { planText } from "./plans.ts";

type Result = MeasuredAll & { planCacheMode: string; seconds: number };
/** The long form fails if a request is slow. With few rows on a busy machine, time says little. */
type Shown = { plans: boolean; all: boolean; isLong: boolean };

/** Statements with fewer pages are only shown with `--all`. */
const shownFrom = 500;

export const isOver = ({ pages, pagesMax, faults }: Measured) =>
  pages > pagesMax || faults.length > 0;

const number = (value: number) => value.toLocaleString("en");

const rowOf = (name: string, all: Measured[]) => {
  const worst = all.reduce((most, one) => (one.pages > most.pages ? one : most));
  const sorted = all.map(({ pages }) => pages).sort((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const columns = [worst.pagesMax, worst.pages, median, worst.rows, all.length].map((value) =>
    number(value).padStart(10),
  );
  return `${columns.join("")}  ${name}`;
};

const printFault = (measured: Measured[], { plans }: Shown) => {
  const [worst] = measured.filter(isOver).sort((a, b) => b.pages - a.pages);
  if (!worst) return;
  const faults = [
    ...(worst.pages > worst.pagesMax
      ? [`touches ${number(worst.pages)} of ${number(worst.pagesMax)} pages`]
      : []),
    ...worst.faults,
  ];
  console.log(`\n${worst.name} ${faults.join(", ")}`);
  console.log(
    `  in ${measured.filter(isOver).length} of ${measured.length} executions, for example ${worst.url}`,
  );
  if (plans) console.log(`${worst.text}\n${planText(worst.plan)}`);
};

const most = (measured: Measured[]) => Math.max(...measured.map(({ pages }) => pages));

const printStatements = (measured: Measured[], shown: Shown) => {
  const byName = [...Map.groupBy(measured, ({ name }) => name)].sort(
    ([, one], [, other]) => most(other) - most(one),
  );
  console.log("     bound      most    median      rows  executed  statement");
  for (const [name, executed] of byName)
    if (shown.all || executed.some(isOver) || most(executed) > shownFrom)
      console.log(rowOf(name, executed));
  for (const [, executed] of byName) printFault(executed, shown);
};

const printRequests = ({ requests, failed }: MeasuredAll) => {
  const heavy = requests.filter(({ pages }) => pages > requestPagesMax);
  for (const { url, pages } of heavy)
    console.log(`\n${url} touches ${number(pages)} of ${number(requestPagesMax)} pages`);
  for (const { url, status, detail } of failed)
    console.log(`\n${url} answered ${status}: ${detail}`);
  return heavy.length === 0 && failed.length === 0;
};

/** The database time of home and reports. Returns whether it is within the limit. */
const printTimes = ({ requests }: MeasuredAll) => {
  const timed = requests.filter(({ url }) => isTimed(url)).sort((a, b) => b.ms - a.ms);
  console.log(`\n        ms  home and reports, at most ${databaseMsMax} ms in the database`);
  for (const { url, ms } of timed)
    console.log(`${ms.toFixed(1).padStart(10)}  ${url}${ms > databaseMsMax ? "  SLOW" : ""}`);
  return timed.every(({ ms }) => ms <= databaseMsMax);
};

/** Whether every statement that PostgreSQL executed was checked, if it counts them. */
const printUnseen = ({ unseen }: MeasuredAll) => {
  if (!unseen) {
    console.log("\npg_stat_statements isn't loaded, so only the plans tell what was executed.");
    return true;
  }
  const { calls, names } = unseen;
  console.log(`\npg_stat_statements counted ${number(calls)} calls of named statements.`);
  for (const name of names) console.log(`  not checked each time: ${name}`);
  return names.length === 0;
};

const printResult = (result: Result, shown: Shown) => {
  const { planCacheMode, seconds, measured, requests } = result;
  const kind = planCacheMode === "auto" ? "plans as PostgreSQL chooses them" : "generic plans";
  console.log(
    `\n== ${kind}: ${number(requests.length)} requests, ${number(measured.length)} statements, ${seconds.toFixed(0)} s`,
  );
  printStatements(measured, shown);
  const hasPlans = measured.length >= requests.length;
  if (!hasPlans) console.log("\nThe database sent no plans.");
  const isFast = printTimes(result) || !shown.isLong;
  const isWhole = printUnseen(result);
  return printRequests(result) && isWhole && hasPlans && isFast && !measured.some(isOver);
};

/** Prints every statement with its bound, and what is over it. Returns whether nothing is. */
export const printResults = (results: Result[], shown: Shown) => {
  const isClean = results.map((result) => printResult(result, shown)).every(Boolean);
  console.log(isClean ? "\nEvery statement is within its bound." : "\nFailed.");
  return isClean;
};
