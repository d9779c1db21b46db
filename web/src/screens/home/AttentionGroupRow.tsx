import { plural, t } from "@lingui/core/macro";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { money, series } from "#lib/intl.ts";
import { useMay } from "#lib/session/session.ts";
import { formatDate } from "#lib/time/dates.ts";
import { useTimeZone } from "#lib/time/useTimeZone.ts";
import { Icon } from "#ui/Icon.tsx";
import { Actions, Due, type RowProps } from "./AttentionRecordRow.tsx";
import { AttentionRecords } from "./AttentionRecords.tsx";
import { attentionTexts } from "./attentionLabels.ts";
import type { AttentionItem } from "./queries.ts";

const useGroupDetails = ({ amounts, since, assignedCount, snoozedCount }: AttentionItem) => {
  const zone = useTimeZone();
  const sums = series(amounts.map(({ amount, currency }) => money(amount, currency)));
  return [
    sums || (since && t`Since ${formatDate(zone, new Date(since))}`),
    assignedCount > 0 && plural(assignedCount, { one: "# assigned", other: "# assigned" }),
    snoozedCount > 0 && plural(snoozedCount, { one: "# snoozed", other: "# snoozed" }),
  ].filter((one) => one);
};

/** Records of one kind with their number, which open below it. */
export const GroupRow = ({
  item,
  isMine,
  menus,
}: Omit<RowProps, "kind"> & { item: AttentionItem }) => {
  const mayWrite = useMay("comments:write");
  const details = useGroupDetails(item);
  const [isOpen, setIsOpen] = useState(false);
  const { kind, count, snoozedCount, isMore, dueAt } = item;
  const { icon, tone, title: titleOf, verb, place } = attentionTexts[kind];
  const title = titleOf(count || snoozedCount);
  const { to, search = {}, hash } = place(null);
  return (
    <li data-attention={kind} className="attention-group">
      <span className="step-sign" data-tone={tone}>
        <Icon name={icon} />
      </span>
      <div>
        <button
          type="button"
          className="attention-title"
          aria-expanded={isOpen}
          data-tip={t`Show each`}
          onClick={() => setIsOpen(!isOpen)}
        >
          {title}
          {isMore && ` (${t`or more`})`}
          {/* The last word stays beside the icon. */}
          {"\u00a0"}
          <Icon name="chevron-down" size={14} />
        </button>
        {details.map((detail) => (
          <small key={String(detail)}>{detail}</small>
        ))}
      </div>
      {dueAt && <Due at={dueAt} />}
      <Link to={to as "/"} search={search as never} {...(hash && { hash })} className="step-action">
        {verb}
      </Link>
      {mayWrite && (
        <Actions
          kind={kind}
          record={null}
          isMine={isMine}
          rowKey={kind}
          title={title}
          menus={menus}
        />
      )}
      {isOpen && <AttentionRecords kind={kind} isMine={isMine} menus={menus} />}
    </li>
  );
};
