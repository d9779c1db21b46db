import { t } from "@lingui/core/macro";
import { Menu } from "@mantine/core";
import { type LinkProps, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { pageAddress } from "#lib/page/runtime.ts";
import { Icon } from "#ui/Icon.tsx";
import { attempt, toast } from "#ui/popups/toast.ts";
import { type Asking, type LifeStatus, lifeSteps, runLifeStep } from "#ui/record/lifecycle.tsx";

const copy = (text: string, done: string) =>
  attempt(async () => {
    await navigator.clipboard.writeText(text);
    toast(done);
  });

type Props = {
  id: string;
  /** The record's page. */
  href: string;
  onPreview: () => void;
  /** Null if the record or the user's role doesn't allow it. */
  edit: LinkProps | null;
  duplicate: LinkProps | null;
  children?: ReactNode;
};

/** Row actions common to all lists, followed by the entity's own. */
export const RowMenu = ({ id, href, onPreview, edit, duplicate, children }: Props) => {
  const navigate = useNavigate();
  const go = (link: LinkProps) => void navigate(link as never);
  return (
    <>
      <Menu.Item leftSection={<Icon name="arrow-right" />} onClick={() => navigate({ href })}>
        {t`Open`}
      </Menu.Item>
      <Menu.Item
        leftSection={<Icon name="external-link" />}
        component="a"
        href={pageAddress(href)}
        target="_blank"
      >
        {t`Open in new tab`}
      </Menu.Item>
      <Menu.Item leftSection={<Icon name="eye" />} onClick={onPreview}>
        {t`Preview`}
      </Menu.Item>
      {edit && (
        <Menu.Item leftSection={<Icon name="pencil" />} onClick={() => go(edit)}>
          {t`Edit`}
        </Menu.Item>
      )}
      {duplicate && (
        <Menu.Item leftSection={<Icon name="copy" />} onClick={() => go(duplicate)}>
          {t`Duplicate`}
        </Menu.Item>
      )}
      <Menu.Item leftSection={<Icon name="copy" />} onClick={() => copy(id, t`ID copied`)}>
        {t`Copy ID`}
      </Menu.Item>
      <Menu.Item
        leftSection={<Icon name="link" />}
        onClick={() => copy(`${location.origin}${pageAddress(href)}`, t`Link copied`)}
      >
        {t`Copy link`}
      </Menu.Item>
      {children}
    </>
  );
};

type LifeProps<R> = {
  record: R;
  canDelete: boolean;
  onAsk: (asking: Asking<R>) => void;
  onRestore: (record: R) => Promise<unknown>;
};

/** Lifecycle actions of a record. */
export const LifeItems = <R extends { status: LifeStatus }>(props: LifeProps<R>) => {
  const { record, canDelete, onAsk, onRestore } = props;
  const { status } = record;
  const { label, icon } = lifeSteps[status];
  const ask = (about: Asking<R>["about"]) => onAsk({ about, records: [record] });
  return (
    <>
      <Menu.Divider />
      <Menu.Item
        leftSection={<Icon name={icon} />}
        onClick={() => runLifeStep({ status, onAsk: ask, onRestore: () => onRestore(record) })}
      >
        {label}
      </Menu.Item>
      {canDelete && (
        <Menu.Item
          data-tone="bad"
          leftSection={<Icon name="trash" />}
          onClick={() => ask("delete")}
        >
          {t`Delete`}
        </Menu.Item>
      )}
    </>
  );
};
