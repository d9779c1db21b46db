import type { Answer } from "./api.ts";
import type { Packages } from "./catalog.ts";
import type { Step } from "./step.ts";

/** A customer with a balance and changes. Their email addresses tell them from the customers of the model. */
export type Customer = { id: string; email: string; currency: string };
export const emailStart = "money-";

export type MoneyStep = Step & { packages: Packages; providerSecret: string };

type Operation = { name: string; path: string; body: object; version?: number | undefined };

/** Sends an operation under the name that the summary shows. */
export const send = async (step: MoneyStep, { name, ...sent }: Operation) => {
  const { api, marker, turn, isDoubled } = step;
  const answer = await api.send({ ...sent, key: marker, isDoubled }, turn);
  step.note(`money: ${name}`, answer);
  return answer;
};

/** Asks what an operation would do, or notes the refusal. */
export const preview = async (step: MoneyStep, path: string, body: object) => {
  const answer = await step.api.send({ path, body, key: `${step.marker}-preview` }, step.turn);
  if (answer.status < 300) return answer.body;
  step.note("money: preview", answer);
  return null;
};

const vatNumbers: Record<string, string> = { FR: "FR12345678901" };

/** Half of the customers have a country, and some of them a VAT number. */
export const createCustomer = async (step: MoneyStep): Promise<Customer | null> => {
  const { random, marker } = step;
  const email = `${emailStart}${marker}@storm.example`;
  const country = random.pick([null, null, "DE", "FR", "HU", "US"]) ?? null;
  const vatNumber = random.next() < 0.3 ? (vatNumbers[country ?? ""] ?? null) : null;
  const body = { name: "Ada", email, country, vatNumber, reason: marker };
  const { status, body: made } = await send(step, {
    name: "create customer",
    path: "/users",
    body,
  });
  const currency = random.pick(["EUR", "USD"]) ?? "EUR";
  return status === 201 ? { id: String(made["id"]), email, currency } : null;
};

const itemsOf = ({ body }: Answer) => (body["items"] ?? []) as Record<string, unknown>[];

export type ListedSale = {
  id: string;
  number: string;
  kind: string;
  state: string;
  total: number;
  balanceAmount: number;
  version: number;
};

export const findSales = async ({ api, turn }: MoneyStep, { id }: Customer) =>
  itemsOf(await api.get(`/transactions?f=user:any:${id}&size=50`, turn)) as ListedSale[];

export type ListedSubscription = {
  id: string;
  status: string;
  package: { id: string };
  quantity: number;
  pendingChange: object | null;
  next: object | null;
  version: number;
};

/** The subscriptions that have not ended. */
export const findSubscriptions = async ({ api, turn }: MoneyStep, { id }: Customer) =>
  (itemsOf(await api.get(`/users/${id}/subscriptions`, turn)) as ListedSubscription[]).filter(
    ({ status }) => status !== "ended",
  );
