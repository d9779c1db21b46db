import { z } from "zod";
import { instant, nothing } from "../fields/primitives.ts";
import { plain } from "../fields/text.ts";
import { endpoint } from "../http/endpoint.ts";

const providerState = z
  .object({
    name: plain,
    /** Whether this installation has a secret for it. Without one its events are refused. */
    isConfigured: z.boolean(),
    lastEvent: z.object({ type: plain, receivedAt: instant }).nullable(),
    /** Events that wait for their transaction, and are tried again. */
    waiting: z.int(),
    /** Events that match no transaction and need a decision. */
    unmatched: z.int(),
    /** The newest event that could not be applied. */
    lastError: z.object({ words: plain, receivedAt: instant }).nullable(),
  })
  .meta({ id: "ProviderState" });

export const listProviders = endpoint({
  method: "GET",
  path: "/providers",
  summary: "List payment providers with their last event and the events that weren't applied",
  permission: "jobs:read",
  query: nothing,
  reply: z.object({ items: z.array(providerState) }),
});
