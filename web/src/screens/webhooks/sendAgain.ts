import { t } from "@lingui/core/macro";
import { resendWebhookDelivery } from "@purser/contract/workspace/webhooks";
import { call } from "#lib/api/call.ts";
import { toast } from "#ui/popups/toast.ts";
import { type Delivery, webhooksChanged } from "./queries.ts";

export const sendAgain = async ({ id }: Pick<Delivery, "id">) => {
  await call(resendWebhookDelivery, { params: { id }, body: {} });
  await webhooksChanged();
  toast(t`Event resent with the same ID`);
};
