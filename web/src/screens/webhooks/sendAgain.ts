import { replayWebhookDelivery } from "@purser/contract/workspace/webhooks";
import { call } from "#lib/api/call.ts";
import { toast } from "#ui/popups/toast.ts";
import { type Delivery, webhooksChanged } from "./queries.ts";

export const sendAgain = async ({ id }: Pick<Delivery, "id">) => {
  await call(replayWebhookDelivery, { params: { id }, body: {} });
  await webhooksChanged();
  toast("The event is on its way again, with the same id.");
};
