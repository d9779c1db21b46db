import { isOver, type Subscription, statusOf } from "./model.ts";
import type { Step } from "./step.ts";

type Action = { name: string; body: Record<string, unknown> };

const chooseAction = ({ random }: Step, status: string): Action => {
  if (status === "paused") return { name: "resume", body: {} };
  if (status === "ending") return { name: random.pick(["keep", "extend"]) ?? "keep", body: {} };
  const name = random.weighted({ pause: 3, extend: 3, cancel: 2 });
  return { name, body: name === "cancel" ? { when: random.pick(["now", "period end"]) } : {} };
};

/** Adds the subscription's new status from an answer to the model. */
const noteAction = (subscription: Subscription, answer: Record<string, unknown>) => {
  const { status, version } = answer as { status: string; version: number };
  if (status === "ended") subscription.isEnded = true;
  else
    subscription.statuses.push({
      version,
      status: status === "paused" || status === "ending" ? status : "active",
    });
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
  step.note(`${action.name}${when}`, answer);
  if (answer.status === 200) noteAction(subscription, answer.body);
};

export const isRunning = (step: Step, subscription: Subscription) =>
  !isOver(subscription, [...step.model.sales.values()]);
