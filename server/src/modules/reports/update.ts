import { addDays } from "@purser/contract/reports/days";
import type { Db } from "#platform/db/db.ts";
import { countMovements, findCustomersAfter, takeCustomers } from "./movementQueries.ts";
import { countDays, drainRevenue, findDays, removeOtherDays } from "./revenueQueries.ts";
import { findState, lockFigures, saveState } from "./stateQueries.ts";

/** How much one transaction adds up. */
export type Portion = { entries: number; days: number; customers: number };

/** Small enough for the time that a statement of the application may take. */
export const workerPortion: Portion = { entries: 5000, days: 2, customers: 500 };

/** For a command, whose statements may take minutes. */
export const commandPortion: Portion = { entries: 100_000, days: 31, customers: 20_000 };

const firstId = "00000000-0000-0000-0000-000000000000";

/** Starts to count everything again, in steps. */
export const startRebuild = async (db: Db, zone: string) => {
  const days = await findDays(db, zone);
  await removeOtherDays(db, days);
  await saveState(db, {
    zone,
    nextDay: days?.first ?? null,
    nextCustomer: firstId,
    // Counting customers also counts their packages.
    nextPackageCustomer: null,
  });
};

const rebuildDays = async (db: Db, zone: string, nextDay: string, days: number) => {
  const last = (await findDays(db, zone))?.last ?? nextDay;
  const until = addDays(nextDay, days);
  await countDays(db, { zone, from: nextDay, until });
  return until > last ? null : until;
};

const rebuildCustomers = async (db: Db, zone: string, after: string, limit: number) => {
  const ids = await findCustomersAfter(db, after, limit);
  await countMovements(db, zone, ids);
  return ids.length < limit ? null : (ids.at(-1) ?? null);
};

/**
 * Adds up the next changes, or the next part of a rebuild, which also follows a change of the time zone. Returns
 * whether there may be more.
 */
export const updateFigures = async (db: Db, zone: string, portion: Portion) => {
  if (!(await lockFigures(db))) return false;
  const state = await findState(db);
  if (state.zone !== zone) {
    await startRebuild(db, zone);
    return true;
  }
  const { nextDay, nextCustomer, nextPackageCustomer } = state;
  if (nextDay !== null) {
    const next = await rebuildDays(db, zone, nextDay, portion.days);
    await saveState(db, { ...state, nextDay: next });
    return true;
  }
  if (nextCustomer !== null) {
    const next = await rebuildCustomers(db, zone, nextCustomer, portion.customers);
    await saveState(db, { ...state, nextCustomer: next });
    return true;
  }
  // After an update from a version without the movements of packages.
  if (nextPackageCustomer !== null) {
    const next = await rebuildCustomers(db, zone, nextPackageCustomer, portion.customers);
    await saveState(db, { ...state, nextPackageCustomer: next });
    return true;
  }
  const entries = await drainRevenue(db, zone, portion.entries);
  const customers = await takeCustomers(db, portion.customers);
  if (customers.length > 0) await countMovements(db, zone, customers);
  return entries > 0 || customers.length > 0;
};
