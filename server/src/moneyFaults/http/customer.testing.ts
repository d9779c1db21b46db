import type { ChargedItem } from "#modules/ledger/testing/facts.testing.ts";
import {
  type Charge,
  get,
  newOracle,
  type Oracle,
} from "#modules/ledger/testing/oracleCharges.testing.ts";
import type { TestProduct } from "#testing.ts";
import type { Place } from "./scenarios.testing.ts";
import { type Shop, type Sold, type Term, taxIn, unitAmountOf } from "./shop.testing.ts";
import { readStored, type Stored, type StoredSubscription } from "./stored.testing.ts";

export const customerName = "B";

/** A customer on the way, with what the oracle and the database know. */
export type CustomerRun = {
  product: TestProduct;
  shop: Shop;
  place: Place;
  user: { id: string; email: string };
  oracle: Oracle;
  stored: Stored;
  now: Date;
  count: number;
  /** IDs of the oracle by ID of the database. */
  names: Map<string, string>;
  hadTrial: Set<string>;
  story: string[];
};

export const newCustomerRun = async (
  product: TestProduct,
  shop: Shop,
  place: Place,
): Promise<CustomerRun> => {
  const { zone, startsAt, currency: code, taxIncluded } = place;
  const user = await shop.newCustomer({ country: place.country });
  return {
    product,
    shop,
    place,
    user,
    oracle: newOracle({ zone, startsAt, customers: 1, currencies: [{ code, taxIncluded }] }),
    stored: await readStored(product, user.id),
    now: startsAt,
    count: 0,
    names: new Map(),
    hadTrial: new Set(),
    story: [],
  };
};

export const nextName = (run: CustomerRun) => {
  run.count += 1;
  return `T${run.count}`;
};

type Bought = { pack: Sold; term: Term | null; quantity: number };

export const itemOf = (
  { place: { currency, country } }: CustomerRun,
  id: string,
  { pack, term, quantity }: Bought,
): ChargedItem => ({
  id,
  thing: pack.id,
  unitAmount: unitAmountOf(pack, currency, term),
  interval: term?.interval ?? "once",
  intervalCount: term?.intervalCount ?? 1,
  quantity,
  tax: taxIn(country),
});

/** The subscription's name at the oracle, which stays the same when the package changes. */
export const cycleOf = ({ stored, names, oracle }: CustomerRun, { id }: StoredSubscription) => {
  const line = stored.lines.find(({ subscriptionId }) => subscriptionId === id);
  const name = names.get(line?.id ?? "");
  const lines = [...oracle.charges.values()].flatMap((charge) => charge.lines);
  return lines.find((one) => one.id === name)?.subscription ?? null;
};

export const chargeOf = ({ names, oracle }: CustomerRun, transactionId: string): Charge =>
  get(oracle.charges, names.get(transactionId) ?? "");
