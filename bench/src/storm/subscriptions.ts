import { isOver, type Subscription, statusOf } from "./model.ts";
import type { Step } from "./step.ts";

type Action = { name: string; body: Record<string, unknown> };

const chooseAction = ({ random, packages }: Step, status: string): Action => {
  if (status === "paused") return { name: "resume", body: {} };
  if (status === "ending") return { name: random.pick(["keep", "extend"]) ?? "keep", body: {} };
  const name = random.weighted({ pause: 3, extend: 3, cancel: 2, change: 2 });
  const when = random.pick(["now", "period end"]);
  if (name === "cancel") return { name, body: { when } };
  if (name !== "change") return { name, body: {} };
  const packageId = random.pick([packages.cheap, packages.dear]);
  return { name, body: { packageId, interval: "month", when } };
};

/** Adds the subscription's new status from an answer to the model. */
const noteAction = (
  { model }: Step,
  subscription: Subscription,
  { name, body }: Action,
  answer: Record<string, unknown>,
) => {
  const { status, version } = answer as { status: string; version: number };
  if (status === "ended") subscription.isEnded = true;
  else
    subscription.statuses.push({
      version,
      status: status === "paused" || status === "ending" ? status : "active",
    });
  if (name !== "change" || body["when"] !== "now") return;
  const { email } = subscription;
  // A change without an extra charge takes effect at once. Others wait for their payment.
  if (status === "ended") model.changedTo.push({ email, packageId: String(body["packageId"]) });
  else model.pendingChanges.push(email);
};

export const changeSubscription = async (step: Step, subscription: Subscription) => {
  const { api, marker, turn, isDoubled } = step;
  const path = `/subscriptions/${subscription.id}`;
  const { body: stored } = await api.get(path, turn);
  const action = chooseAction(step, statusOf(subscription));
  const days = action.name === "extend" ? { days: 1 + step.random.below(20) } : {};
  const sent = {
    path: `${path}/${action.name}`,
    key: marker,
    isDoubled,
    version: Number(stored["version"]),
    body: { ...action.body, ...days, reason: marker },
  };
  const answer = await api.send(sent, turn);
  const when = action.body["when"] ? ` ${action.body["when"]}` : "";
  // Scheduling the same change for the end of the period again changes nothing.
  const isIdle = action.body["when"] === "period end" && answer.body["version"] === sent.version;
  step.note(`${action.name}${when}`, answer, isIdle);
  if (answer.status === 200) noteAction(step, subscription, action, answer.body);
};

export const isRunning = (step: Step, subscription: Subscription) =>
  !isOver(subscription, [...step.model.sales.values()]);
