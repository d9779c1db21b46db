import { type Change, streamEvents } from "@purser/contract/workspace/liveChanges";
import { addressOf } from "./call.ts";
import { tell } from "./liveChanges.ts";
import { forgetPayloads } from "./payload.ts";
import { queryClient } from "./queryClient.ts";

/** Query keys that show an entity, where they differ from the entity's own name. */
const queryNames: Record<string, string[] | undefined> = {
  apps: ["apps", "features", "packages", "promotions", "access"],
  app_keys: ["apps"],
  features: ["features", "packages", "promotions", "access"],
  packages: ["packages", "access"],
  package_versions: ["packages", "features", "access"],
  rollouts: ["packages"],
  transactions: ["transactions", "users", "access"],
  subscriptions: ["transactions", "users", "access"],
  users: ["users", "access"],
  grants: ["users", "access"],
  webhook_endpoints: ["webhooks"],
  passkeys: ["team"],
  authenticators: ["team"],
};

/** Lists decide themselves when rows may move. All other queries are invalidated. */
const isList = (key: readonly unknown[]) => key[1] === "list";

const refresh = ({ entity }: Change) => {
  forgetPayloads();
  for (const name of queryNames[entity] ?? [entity])
    void queryClient.invalidateQueries({
      queryKey: [name],
      predicate: ({ queryKey }) => !isList(queryKey),
    });
  void queryClient.invalidateQueries({ queryKey: ["activity"] });
};

/** Until when this page knows all changes. Those after it are sent when a stream opens. */
let position: string;

const retryMs = 2000;
const retryMaxMs = 60_000;

/**
 * Opens the stream, and opens it again when it breaks. EventSource alone gives up after an error status. Changes since
 * the session was read are sent, too.
 */
export const followChanges = (since: string, signal: AbortSignal) => {
  position ??= since;
  let source: EventSource;
  let waiting: ReturnType<typeof setTimeout>;
  let waitMs = retryMs;

  const open = () => {
    source = new EventSource(addressOf(streamEvents.path, { query: { since: position } }));
    source.onopen = () => {
      waitMs = retryMs;
    };
    source.onerror = () => {
      source.close();
      // Not all at the same time, if the server started again.
      waiting = setTimeout(open, waitMs * (0.5 + Math.random()));
      waitMs = Math.min(waitMs * 2, retryMaxMs);
    };
    const on = (name: string, listen: (data: string) => void) =>
      source.addEventListener(name, ({ data, lastEventId }) => {
        // Of several changes at once only the last has an ID.
        position = lastEventId || position;
        listen(data);
      });
    on("alive", () => undefined);
    on("missed", () => {
      forgetPayloads();
      void queryClient.invalidateQueries();
    });
    on("change", (data) => {
      const change: Change = JSON.parse(data);
      refresh(change);
      tell(change);
    });
  };

  open();
  signal.addEventListener("abort", () => {
    clearTimeout(waiting);
    source.close();
  });
};
