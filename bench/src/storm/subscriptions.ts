import { isOver, type Subscription, statusOf } from "./model.ts";
import type { Step } from "./step.ts";

type Act = { name: string; body: Record<string, unknown> };

const actsOf = ({ random, packages }: Step, status: string): Act => {
  if (status === "paused") return { name: "resume", body: {} };
  if (status === "ending") return { name: random.pick(["keep", "extend"]) ?? "keep", body: {} };
  const name = random.weighted({ pause: 3, extend: 3, cancel: 2, change: 2 });
  const when = random.pick(["now", "period end"]);
  if (name === "cancel") return { name, body: { when } };
  if (name !== "change") return { name, body: {} };
  const packageId = random.pick([packages.cheap, packages.dear]);
  return { name, body: { packageId, interval: "month", when } };
};

/** What the answer to an act says of a subscription and of what came in its place. */
const noteAct = (
  { model }: Step,
  subscription: Subscription,
  { name, body }: Act,
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
  // What costs nothing more is in force at once; the rest waits for its payment.
  if (status === "ended") model.changedTo.push({ email, packageId: String(body["packageId"]) });
  else model.pendingChanges.push(email);
};

export const actOnSubscription = async (step: Step, subscription: Subscription) => {
  const { office, marker, turn, isEchoed } = step;
  const path = `/subscriptions/${subscription.id}`;
  const { body: stored } = await office.get(path, turn);
  const act = actsOf(step, statusOf(subscription));
  const days = act.name === "extend" ? { days: 1 + step.random.below(20) } : {};
  const sent = {
    path: `${path}/${act.name}`,
    key: marker,
    isEchoed,
    version: Number(stored["version"]),
    body: { ...act.body, ...days, reason: marker },
  };
  const answer = await office.send(sent, turn);
  const when = act.body["when"] ? ` ${act.body["when"]}` : "";
  // The same change for the end of the period, planned once more, changes nothing.
  const isIdle = act.body["when"] === "period end" && answer.body["version"] === sent.version;
  step.note(`${act.name}${when}`, answer, isIdle);
  if (answer.status === 200) noteAct(step, subscription, act, answer.body);
};

export const goesOn = (step: Step, subscription: Subscription) =>
  !isOver(subscription, [...step.model.sales.values()]);
