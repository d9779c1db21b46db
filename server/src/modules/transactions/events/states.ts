import type {
  EventType,
  ShownState,
  TransactionState as State,
} from "@purser/contract/transactions/fields";

// In the order in which those of the same moment count.
const turns: readonly EventType[] = [
  "created",
  "submitted",
  "voided",
  "authorised",
  "unknown",
  "failed",
  "canceled",
  "succeeded",
  "disputed",
  "dispute won",
  "dispute lost",
];

export type TransactionEvent = { id: string; type: EventType; at: Date };

type Transitions = Readonly<Record<State, Readonly<Partial<Record<EventType, State>>>>>;

/** What each event makes of each state. An event that a state does not name changes nothing there. */
export const transitions: Transitions = {
  draft: { submitted: "pending", voided: "voided" },
  pending: { succeeded: "succeeded", failed: "failed", unknown: "unknown", canceled: "canceled" },
  unknown: { succeeded: "succeeded", failed: "failed" },
  // Whatever was said before, the money has moved.
  failed: { succeeded: "succeeded" },
  canceled: { succeeded: "succeeded" },
  succeeded: { disputed: "disputed" },
  disputed: { "dispute won": "succeeded", "dispute lost": "charged back" },
  voided: {},
  "charged back": {},
};

export const mayBecome = (from: State, to: State) => Object.values(transitions[from]).includes(to);

/** The events in the order in which they count, each once, however and how often they came in. */
const inOrder = (events: readonly TransactionEvent[]) => {
  const submissions = events.filter(({ type }) => type === "submitted");
  const [submittedAt = 0] = submissions.map(({ at }) => at.getTime()).sort((a, b) => a - b);
  // A provider's clock may be behind ours or count whole seconds, yet it answers only what it was asked.
  const momentOf = ({ type, at }: TransactionEvent) =>
    type === "created" || type === "voided" ? at.getTime() : Math.max(at.getTime(), submittedAt);
  return events
    .toSorted(
      (one, other) =>
        momentOf(one) - momentOf(other) ||
        turns.indexOf(one.type) - turns.indexOf(other.type) ||
        (one.id < other.id ? -1 : 1),
    )
    .filter(({ id }, place, all) => place === all.findIndex((event) => event.id === id));
};

/** The state that a transaction's events leave it in. */
export const stateOf = (events: readonly TransactionEvent[]): State =>
  inOrder(events).reduce<State>((state, { type }) => transitions[state][type] ?? state, "draft");

/**
 * The states to go through from the one that is stored to what the events say now. What came to nothing may have
 * done so otherwise than was heard first; a dispute may be heard of before the payment.
 */
export const stopsBetween = (from: State, to: State): State[] => {
  if (from === to) return [];
  const way: State[] =
    to === "charged back"
      ? ["succeeded", "disputed", to]
      : to === "disputed"
        ? ["succeeded", to]
        : [to];
  return way.slice(way.indexOf(from) + 1);
};

/** The state as people see it: a success may have been paid back since. */
export const shownStateOf = (
  state: State,
  { refunded, total }: { refunded: number; total: number },
): ShownState => {
  if (state !== "succeeded" || refunded === 0) return state;
  return refunded < total ? "partially refunded" : "refunded";
};
