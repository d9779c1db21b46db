import { t } from "@lingui/core/macro";
import type { auditFields } from "@purser/contract/workspace/audit";
import type { Topic } from "@purser/contract/workspace/topics";
import type { Action } from "#ui/history/action.ts";
import type { FieldLabels } from "#ui/list/filters/filterLabels.ts";
import { entityLabels } from "#ui/record/auditEntities.ts";
import { anyColleague, anyRecord } from "./queries.ts";

export const topicLabels: Record<Topic, string> = {
  prices: t`Prices`,
  refunds: t`Refunds and credits`,
  access: t`Access`,
  team: t`Team and settings`,
};

const providerJobs = new Set(["settle-provider-event", "reconcile-payments"]);

/** Where an action came from. */
export const sourceOf = ({ kind, name }: Action["actor"]) => {
  if (kind === "user") return t`Dashboard`;
  if (kind === "key") return t`API`;
  if (kind === "database") return t`Database`;
  if (name === "sign-in") return t`Sign-in`;
  return providerJobs.has(name ?? "") ? t`Payment provider` : t`Automatic`;
};

export const fieldLabels: FieldLabels<typeof auditFields> = {
  at: { label: t`Time` },
  actor: { label: t`Actor`, relation: anyColleague },
  actorKind: {
    label: t`Source`,
    options: {
      user: t`Dashboard`,
      key: t`API`,
      system: t`Automatic`,
      database: t`Database`,
    },
  },
  entity: { label: t`Record type`, options: entityLabels },
  action: {
    label: t`Action`,
    options: { insert: t`Created`, update: t`Changed`, delete: t`Deleted` },
  },
  record: { label: t`Record`, relation: anyRecord },
  request: { label: t`Request ID` },
  reason: { label: t`Reason` },
  topic: { label: t`Topic`, options: topicLabels },
};
