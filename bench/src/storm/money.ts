import { type Customer, createCustomer, type MoneyStep } from "./customers.ts";
import { buy, changeBalance, dispute, refund, report, resolve } from "./moneySales.ts";
import { changeSubscription } from "./moneySubscriptions.ts";

type Customers = { shared: Customer[]; own: Customer[] };

const sharedCount = 12;

/** A customer of this client, or one that other clients change at the same time. At first some are created. */
const pickCustomer = async (step: MoneyStep, { shared, own }: Customers) => {
  const { random } = step;
  const isShared = random.next() < 0.4;
  const [list, wanted] = isShared ? [shared, sharedCount] : [own, 2];
  const isEnough = list.length >= wanted && (isShared || random.next() < 0.97);
  if (isEnough) return random.pick(list);
  const created = await createCustomer(step);
  if (created) list.push(created);
  return null;
};

const operations = { buy, resolve, report, refund, dispute, changeBalance, changeSubscription };

/** One operation on a customer that the model doesn't cover. */
export const moveMoney = async (step: MoneyStep, customers: Customers) => {
  const customer = await pickCustomer(step, customers);
  if (!customer) return;
  const chosen = step.random.weighted({
    buy: 6,
    resolve: 10,
    report: 4,
    refund: 8,
    dispute: 4,
    changeBalance: 4,
    changeSubscription: 18,
  });
  await operations[chosen](step, customer);
};
