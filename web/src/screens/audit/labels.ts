import { plural, t } from "@lingui/core/macro";
import { entities, entityNames } from "@purser/contract/entities";
import type { auditFields } from "@purser/contract/workspace/audit";
import { list } from "#lib/intl.ts";
import type { FieldLabels } from "#ui/list/filters/filterLabels.ts";
import type { Entry } from "#ui/record/Activity.tsx";
import { entityLabels } from "#ui/record/auditEntities.ts";
import { isPlainChange, titleOf } from "#ui/record/auditTitles.ts";
import { columnName } from "#ui/record/columnNames.ts";
import { anyColleague, anyRecord } from "./queries.ts";

const isId = (text: string) => /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(text);

/** Records without a name are shown by the end of their ID. */
export const labelOf = ({ label }: Entry) => (isId(label) ? `…${label.slice(-6)}` : label);

const fieldsMax = 2;

/** What happened, and which fields changed: "App changed (Name and Code)". */
export const detailedTitleOf = (entry: Entry) => {
  const title = titleOf(entry);
  const { changes } = entry;
  if (!isPlainChange(entry) || changes.length === 0) return title;
  const fields =
    changes.length > fieldsMax
      ? plural(changes.length, { one: "# field", other: "# fields" })
      : list(changes.map(({ field }) => columnName(field)));
  return t`${title} (${fields})`;
};

/** The record's page; null if it was deleted or has none. */
export const placeOf = ({ entity, action, recordId, appId }: Entry) => {
  if (entity === "app_keys") return appId && `/apps/view/${appId}`;
  if (entity === "settings") return "/settings";
  if (entity === "webhook_endpoints") return "/webhook";
  if (action === "delete") return null;
  if (entity === "approvals") return `/approvals?preview=${recordId}`;
  const name = entityNames.find((one) => one === entity && one !== "users");
  return name ? entities[name].page.replace("$id", recordId) : null;
};

export const fieldLabels: FieldLabels<typeof auditFields> = {
  at: { label: t`Time` },
  actor: { label: t`Actor`, relation: anyColleague },
  actorKind: {
    label: t`Actor type`,
    options: {
      user: t`Team member`,
      key: t`API key`,
      system: "Purser",
      database: t`Direct database change`,
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
};
