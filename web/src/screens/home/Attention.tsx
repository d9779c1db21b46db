import { plural, t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { number } from "#lib/intl.ts";
import { useMay } from "#lib/session/session.ts";
import { useShortcuts } from "#lib/shortcuts.ts";
import { Segments } from "#ui/form/inputs/Segments.tsx";
import { Icon } from "#ui/Icon.tsx";
import { Failed } from "#ui/page/Empty.tsx";
import { Section } from "#ui/page/Page.tsx";
import { GroupRow } from "./AttentionGroupRow.tsx";
import type { MenuPart } from "./AttentionMenu.tsx";
import { type Menus, RecordRow } from "./AttentionRecordRow.tsx";
import { type AttentionItem, attentionQuery } from "./queries.ts";

const shownMax = 6;

/** A reminder for the user's own account. */
const TwoFactorRow = () => (
  <li>
    <span className="step-sign" data-tone="warn">
      <Icon name="shield-lock" />
    </span>
    <div>
      {t`Two-factor authentication is off`}
      <small>{t`Add a passkey or an authenticator app to protect your account.`}</small>
    </div>
    <Link to="/account" className="step-action">
      {t`Set up 2FA`}
    </Link>
  </li>
);

type Opened = { key: string; part: MenuPart };

/** The menu of a row, also opened with a key while the row has the focus. */
const useRowMenus = (): Menus => {
  const [opened, setOpened] = useState<Opened | null>(null);
  const mayWrite = useMay("comments:write");
  const open = (part: MenuPart) => () => {
    const row = document.activeElement?.closest<HTMLElement>("[data-attention]");
    const key = row?.dataset["attention"];
    if (!key || !mayWrite) return false;
    setOpened({ key, part });
    return true;
  };
  const group = "lists" as const;
  useShortcuts([
    { keys: "a", does: t`Assign the row of Needs attention`, group, run: open("assign") },
    { keys: "s", does: t`Snooze the row of Needs attention`, group, run: open("snooze") },
  ]);
  return {
    openedOf: (key) => (opened?.key === key ? opened.part : null),
    onOpenOf: (key) => (part) => setOpened(part && { key, part }),
  };
};

/** Snoozed rows, hidden at first. The focus comes here from a row that was just snoozed. */
const useSnoozedButton = (count: number) => {
  const button = useRef<HTMLButtonElement>(null);
  const before = useRef(count);
  useEffect(() => {
    if (count > before.current && document.activeElement === document.body) button.current?.focus();
    before.current = count;
  }, [count]);
  return button;
};

type RowProps = { item: AttentionItem; isMine: boolean; menus: Menus };

const AttentionRow = ({ item, ...props }: RowProps) =>
  item.record ? (
    <RecordRow kind={item.kind} record={item.record} {...props} />
  ) : (
    <GroupRow item={item} {...props} />
  );

type Props = {
  asksForTwoFactor: boolean;
  isMine: boolean;
  onMine: (isMine: boolean) => void;
};

/** What someone has to do something about, the most urgent first. A row leaves when its cause is gone. */
export const Attention = ({ asksForTwoFactor, isMine, onMine }: Props) => {
  const { data, error, refetch } = useQuery(attentionQuery(isMine));
  const [showsAll, setShowsAll] = useState(false);
  const [showsSnoozed, setShowsSnoozed] = useState(false);
  const items = data?.items ?? [];
  const open = items.filter(({ count }) => count > 0);
  const snoozed = items.filter(({ count }) => count === 0);
  const menus = useRowMenus();
  const button = useSnoozedButton(snoozed.length);
  if (error && !data)
    return (
      <Failed
        title={t`Couldn't load what needs attention`}
        error={error}
        onRetry={() => refetch()}
      />
    );
  const shown = showsAll ? open : open.slice(0, shownMax - Number(asksForTwoFactor));
  const rows = showsSnoozed ? [...shown, ...snoozed] : shown;
  return (
    <Section
      title={t`Needs attention`}
      note={data && number(open.length + Number(asksForTwoFactor))}
      actions={
        <Segments
          legend={t`Needs attention`}
          name="attention"
          value={isMine ? "mine" : "all"}
          options={[
            { value: "all", label: t`All` },
            { value: "mine", label: t`Mine` },
          ]}
          onChange={(value) => onMine(value === "mine")}
        />
      }
    >
      {data && open.length === 0 && !asksForTwoFactor && (
        <p className="soft">
          {isMine ? t`Nothing is assigned to you.` : t`Nothing needs attention.`}
        </p>
      )}
      <ul className="steps">
        {asksForTwoFactor && <TwoFactorRow />}
        {rows.map((item) => (
          <AttentionRow key={item.kind} item={item} isMine={isMine} menus={menus} />
        ))}
      </ul>
      {open.length > shown.length && (
        <button type="button" className="show-all" onClick={() => setShowsAll(true)}>
          {t`Show all`}
        </button>
      )}
      {snoozed.length > 0 && (
        <button
          type="button"
          className="show-all"
          ref={button}
          onClick={() => setShowsSnoozed(!showsSnoozed)}
        >
          {showsSnoozed
            ? t`Hide snoozed`
            : plural(snoozed.length, { one: "Show # snoozed", other: "Show # snoozed" })}
        </button>
      )}
    </Section>
  );
};
