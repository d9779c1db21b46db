import {
  type Customer,
  findSubscriptions,
  type ListedSubscription,
  type MoneyStep,
  preview,
  send,
} from "./customers.ts";
import { buy } from "./moneySales.ts";

const chooseChange = ({ random, packages }: MoneyStep, subscription: ListedSubscription) => {
  const name = random.pick(["solo", "studio", "team", "team"]) ?? "solo";
  const when = random.weighted({ now: 3, "period end": 1 });
  const isSame = packages[name] === subscription.package.id;
  const quantity = name === "team" ? 1 + random.below(6) : 1;
  const what = isSame ? "quantity" : "package";
  const wanted = { packageId: packages[name], interval: "month", quantity, when };
  return { name: `change ${what} at ${when}`, wanted };
};

/** Another package or quantity, now or at the end of the period. Half of them name the amount due that was shown. */
const change = async (step: MoneyStep, subscription: ListedSubscription) => {
  const { random, marker, api, turn, isDoubled } = step;
  const path = `/subscriptions/${subscription.id}/change`;
  const { name, wanted } = chooseChange(step, subscription);
  const shown = await preview(step, `${path}/preview`, wanted);
  if (!shown) return;
  const { at, payment } = shown as { at: string; payment: { due: number } };
  const seen = wanted.when === "now" && random.next() < 0.5 ? { at, due: payment.due } : {};
  const rest = random.pick(["balance", "payment method"]);
  const { version } = subscription;
  const body = { ...wanted, ...seen, rest, reason: marker };
  const answer = await api.send({ path, body, key: marker, version, isDoubled }, turn);
  // Scheduling the same change for the end of the period again changes nothing.
  const isIdle = wanted.when === "period end" && answer.body["version"] === version;
  step.note(`money: ${name}`, answer, isIdle);
};

const act = (step: MoneyStep, { id, version }: ListedSubscription, name: string, body = {}) =>
  send(step, {
    name,
    path: `/subscriptions/${id}/${name}`,
    body: { ...body, reason: step.marker },
    version,
  });

/** Changes, pauses, extends or ends a subscription of the customer. */
export const changeSubscription = async (step: MoneyStep, customer: Customer) => {
  const { random } = step;
  const subscription = random.pick(await findSubscriptions(step, customer));
  if (!subscription) return buy(step, customer);
  const { status, pendingChange, next } = subscription;
  if (status === "paused") return act(step, subscription, "resume");
  if ((pendingChange || next) && random.next() < 0.4)
    return act(step, subscription, "change/withdraw");
  if (status === "ending") return act(step, subscription, "keep");
  const name = random.weighted({ change: 12, pause: 4, extend: 1, cancel: 1 });
  if (name === "change") return change(step, subscription);
  if (name === "cancel")
    return act(step, subscription, name, { when: random.pick(["now", "period end"]) });
  return act(step, subscription, name, name === "extend" ? { days: 1 + random.below(9) } : {});
};
