import { t } from "@lingui/core/macro";
import { ActionIcon, Button, Menu } from "@mantine/core";
import { Link, type LinkProps, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useShortcuts } from "#lib/shortcuts.ts";
import { Icon } from "../Icon.tsx";
import { Tab } from "../page/Tab.tsx";
import { Popup } from "../popups/Popup.tsx";
import { attempt } from "../popups/toast.ts";
import { Neighbors } from "./Neighbors.tsx";

type MoreProps = {
  /** Null if duplicating makes no sense. */
  duplicate: LinkProps | null;
  onDelete: (() => void) | null;
  /** More items of the entity's menu. */
  items?: ReactNode;
};

/** The end of a record's page header: the way to its neighbors in the list, and the menu of other actions. */
export const More = ({ duplicate, onDelete, items }: MoreProps) => {
  const navigate = useNavigate();
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Neighbors />
      <Popup
        kind="menu"
        label={t`More actions`}
        opened={opened}
        onClose={() => setOpened(false)}
        place="bottom-end"
        width={200}
        trigger={
          <ActionIcon
            variant="default"
            size={32}
            aria-label={t`More actions`}
            aria-haspopup="menu"
            aria-expanded={opened}
            onClick={() => setOpened(!opened)}
          >
            <Icon name="dots" />
          </ActionIcon>
        }
      >
        {() => (
          <>
            {items}
            {duplicate && (
              <Menu.Item
                leftSection={<Icon name="copy" />}
                onClick={() => void navigate(duplicate as never)}
              >
                {t`Duplicate`}
              </Menu.Item>
            )}
            <Menu.Item
              leftSection={<Icon name="link" />}
              onClick={() => attempt(() => navigator.clipboard.writeText(location.href))}
            >
              {t`Copy link`}
            </Menu.Item>
            {onDelete && (
              <>
                <Menu.Divider />
                <Menu.Item
                  data-tone="bad"
                  leftSection={<Icon name="trash" />}
                  onClick={() => onDelete()}
                >
                  {t`Delete`}
                </Menu.Item>
              </>
            )}
          </>
        )}
      </Popup>
    </>
  );
};

type ActsProps = MoreProps & {
  /** The record's next lifecycle step. */
  step: ReactNode;
  /** Null if it can't be edited. */
  edit: LinkProps | null;
  /** The primary action, before editing. */
  lead?: ReactNode;
};

/** The actions in a record's page header. */
export const RecordActions = ({ step, edit, lead, ...more }: ActsProps) => {
  const navigate = useNavigate();
  useShortcuts(
    edit
      ? [
          {
            keys: "e",
            does: t`Edit this record`,
            group: "records",
            run: () => void navigate(edit as never),
          },
        ]
      : [],
  );
  return (
    <>
      {step}
      {edit && (
        <Button
          component={Link}
          {...(edit as object)}
          {...(lead ? { variant: "default" } : {})}
          leftSection={<Icon name="pencil" />}
        >
          {t`Edit`}
        </Button>
      )}
      {lead}
      <More {...more} />
    </>
  );
};

type TabName = { name: string | undefined; label: string };
type TabsProps = {
  current: string | undefined;
  /** The entity's own tabs, after the first one. */
  own?: readonly TabName[];
};

const tabsWith = (own: readonly TabName[]): TabName[] => [
  { name: undefined, label: t`Overview` },
  ...own,
  { name: "activity", label: t`Activity` },
  { name: "raw", label: t`Raw` },
];

export const RecordTabs = ({ current, own = [] }: TabsProps) => (
  <nav className="tabs" aria-label={t`Tabs`}>
    {tabsWith(own).map(({ name, label }) => (
      <Tab key={label} search={name ? { tab: name } : {}} isCurrent={current === name}>
        {label}
      </Tab>
    ))}
  </nav>
);

/** The record's API representation. */
export const Raw = ({ record }: { record: object }) => (
  <section>
    <pre className="raw">{JSON.stringify(record, null, 2)}</pre>
  </section>
);
