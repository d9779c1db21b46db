import type {
  EventType,
  ShownState,
  TransactionState as State,
} from "@purser/contract/transactions/fields";

// The order of events with the same time.
const turns: readonly EventType[] = [
  "created",
  "submitted",
  "voided",
  "authorized",
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

/** The next state for each event. An event that is not listed for a state changes nothing. */
export const transitions: Transitions = {
  draft: { submitted: "pending", voided: "voided" },
  pending: { succeeded: "succeeded", failed: "failed", unknown: "unknown", canceled: "canceled" },
  unknown: { succeeded: "succeeded", failed: "failed" },
  // The money has moved, whatever was reported before. A failed renewal is canceled with its subscription.
  failed: { succeeded: "succeeded", canceled: "canceled" },
  canceled: { succeeded: "succeeded" },
  succeeded: { disputed: "disputed" },
  disputed: { "dispute won": "succeeded", "dispute lost": "charged back" },
  voided: {},
  "charged back": {},
};

export const mayBecome = (from: State, to: State) => Object.values(transitions[from]).includes(to);

/** Events by time, each once, independent of the order in which they arrived. */
const inOrder = (events: readonly TransactionEvent[]) => {
  const submissions = events.filter(({ type }) => type === "submitted");
  const [submittedAt = 0] = submissions.map(({ at }) => at.getTime()).sort((a, b) => a - b);
  // A provider's clock may be behind ours or count whole seconds, but its events always follow the submission.
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

/** The state of a transaction after all its events. */
export const stateOf = (events: readonly TransactionEvent[]): State =>
  inOrder(events).reduce<State>((state, { type }) => transitions[state][type] ?? state, "draft");

/**
 * The states between the stored one and the new one. A dispute can arrive before its payment, and a failed payment
 * can turn out to be canceled.
 */
export const statesBetween = (from: State, to: State): State[] => {
  if (from === to) return [];
  const path: State[] =
    to === "charged back"
      ? ["succeeded", "disputed", to]
      : to === "disputed"
        ? ["succeeded", to]
        : [to];
  return path.slice(path.indexOf(from) + 1);
};

/** The state shown to users, which also depends on refunds. */
export const shownStateOf = (
  state: State,
  { refunded, total }: { refunded: number; total: number },
): ShownState => {
  if (state !== "succeeded" || refunded === 0) return state;
  return refunded < total ? "partially refunded" : "refunded";
};

/** The events of a transaction that is recorded directly in this state. */
export const eventsUpTo = (state: "draft" | "pending" | "succeeded") =>
  state === "draft"
    ? (["created"] as const)
    : state === "pending"
      ? (["created", "submitted"] as const)
      : (["created", "submitted", "succeeded"] as const);
