import type { Page } from "@playwright/test";
import { formatMoney } from "@purser/contract/fields/amounts";
import { noSeller, type Settings } from "@purser/contract/workspace/settings";
import {
  type ChargedItem,
  type ChargeFact,
  walletOf,
} from "../../../server/src/modules/ledger/testing/facts.testing.ts";
import { expectedOf } from "../../../server/src/modules/ledger/testing/oracle.testing.ts";
import {
  freeBalance,
  get,
  newOracle,
} from "../../../server/src/modules/ledger/testing/oracleCharges.testing.ts";
import { callApi, uniqueCode } from "../../data/api.ts";
import { makeUser } from "../../data/customers.ts";
import { makeSellablePackage, sell as recordSale } from "../../data/transactions.ts";
import type { Product } from "../../environment/product.ts";

// A shop whose sales are also told to the oracle, which calculates all amounts without the product's functions.

const wallet = { customer: "B", currency: "EUR" };

/** Unlike a month it always has the same length. */
const period = { interval: "day", intervalCount: 30 } as const;

const tax = {
  taxTreatment: "rate",
  taxCountry: "FI",
  taxRegion: null,
  taxBasisPoints: 2550,
} as const;

const seller = {
  ...noSeller,
  name: "Harbor Oy",
  lines: ["Quay 1"],
  postalCode: "00100",
  city: "Helsinki",
  country: "FI",
  vatNumber: "FI12345678",
};

/** Tests of the same worker share the rate. */
const addTaxRate = async (page: Page) => {
  const path = "/tax-rates";
  const { items } = await callApi<{ items: { country: string }[] }>(page, { path });
  const { taxCountry: country, taxBasisPoints: basisPoints } = tax;
  if (items.some((rate) => rate.country === country)) return;
  const body = { country, name: "VAT", basisPoints, validFrom: "2020-01-01" };
  await callApi(page, { method: "POST", path, body });
};

const readSettings = (page: Page) => callApi<Settings>(page, { path: "/settings" });

/** From then on, each settled payment has an invoice. */
export const enterSeller = async (page: Page) => {
  const { version, updatedAt: _, ...settings } = await readSettings(page);
  const body = { ...settings, seller };
  await callApi(page, { method: "PUT", path: "/settings", version, body });
};

/** About a third of a period ago, but not whole days, because rounding to days must change the amounts. */
export const tenDaysAgo = () => new Date(Date.now() - 10 * 86_400_000 - 26_000_123);

export type SoldPackage = { id: string; name: string; unitAmount: number };
type Bought = { pack: SoldPackage; quantity?: number };

type Charged = Pick<ChargeFact, "id" | "kind" | "at"> & Partial<ChargeFact> & { of: Bought[] };

export type ExpectedAmounts = { net: number; tax: number; gross: number };

type Amounts = { net: bigint; tax: bigint };
const amountsOf = ({ net, tax: taxed }: Amounts): ExpectedAmounts => ({
  net: Number(net),
  tax: Number(taxed),
  gross: Number(net + taxed),
});

export const sumOf = (all: readonly ExpectedAmounts[]): ExpectedAmounts => ({
  net: all.reduce((sum, one) => sum + one.net, 0),
  tax: all.reduce((sum, one) => sum + one.tax, 0),
  gross: all.reduce((sum, one) => sum + one.gross, 0),
});

export const eur = (minor: number) => formatMoney(minor, "EUR");

/** Packages and a customer whose country has a tax rate. */
export const openShop = async (page: Page) => {
  await addTaxRate(page);
  const { timeZone: zone } = await readSettings(page);
  const customer = await makeUser(page, { country: tax.taxCountry });
  const currencies = [{ code: wallet.currency, taxIncluded: false }];
  const oracle = newOracle({ zone, startsAt: new Date(), customers: 1, currencies });
  const group = uniqueCode("group");

  const putOnSale = async (unitAmount: number, details: object = {}): Promise<SoldPackage> => {
    const { perUnit = false, ...more } = details as { perUnit?: boolean };
    const price = { ...period, currency: wallet.currency, amount: unitAmount, perUnit };
    const pack = await makeSellablePackage(page, { prices: [price], group, ...more });
    return { id: pack.id, name: pack.name, unitAmount };
  };

  const itemOf = (id: string, { pack, quantity = 1 }: Bought): ChargedItem => ({
    ...period,
    id,
    thing: pack.id,
    unitAmount: pack.unitAmount,
    quantity,
    tax,
  });

  /** What a charge costs, takes back and how it is paid. */
  const expectCharge = ({ id, of, ...fact }: Charged) => {
    expectedOf(oracle, {
      fact: "charge",
      ...wallet,
      id,
      items: of.map((one, place) => itemOf(`${id}.${place + 1}`, one)),
      subscription: null,
      freeDays: 0,
      discount: null,
      payment: 1,
      useBalance: true,
      rest: "balance",
      ...fact,
    });
    const { lines, cuts, payment } = get(oracle.charges, id);
    return {
      lines: lines.map(amountsOf),
      credits: cuts.map(amountsOf),
      fromCredits: Number(payment.fromCredits),
      fromBalance: Number(payment.fromBalance),
      due: Number(payment.due),
      toBalance: Number(payment.toBalance),
    };
  };

  const expectPayment = (transaction: string, at: Date) =>
    expectedOf(oracle, { fact: "payment", transaction, at });

  /** What a refund of an amount of each line takes back. */
  const expectRefund = (transaction: string, amounts: readonly number[]) => {
    const { lines } = get(oracle.charges, transaction);
    const before = lines.map(({ cuts }) => cuts.length);
    const to = "payment method";
    const at = new Date();
    expectedOf(oracle, { fact: "refund", id: "R", transaction, at, of: "amount", amounts, to });
    return lines.flatMap(({ cuts }, place) => cuts.slice(before[place]).map(amountsOf));
  };

  /** The next period if the customer already has the package. */
  const sell = async (id: string, of: [Bought, ...Bought[]], at: Date, subscription?: string) => {
    const [{ pack, quantity = 1 }, ...added] = of;
    const sale = await recordSale(page, pack, {
      ...period,
      email: customer.email,
      quantity,
      addOns: added.map((one) => ({ packageId: one.pack.id, quantity: one.quantity ?? 1 })),
      occurredAt: at.toISOString(),
    });
    const kind = subscription ? "renewal" : "purchase";
    const expected = expectCharge({ id, kind, at, of, subscription: subscription ?? null });
    expectPayment(id, at);
    return { sale, expected };
  };

  return {
    customer,
    putOnSale,
    sell,
    expectCharge,
    expectRefund,
    expectedBalance: () => Number(freeBalance(oracle, walletOf(wallet))),
  };
};
export type Shop = Awaited<ReturnType<typeof openShop>>;

/** Runs a scheduled job now instead of within a minute. */
export const runJob = ({ database }: Pick<Product, "database">, name: string) =>
  database.query("insert into pgboss.job (name, data) values ($1, '{}')", [name]);
