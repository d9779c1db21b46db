import { t } from "@lingui/core/macro";
import { ActionIcon, Button, Menu } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { Icon, Tile } from "#ui/Icon.tsx";
import type { IconName } from "#ui/iconNames.ts";
import type { RowFilter } from "#ui/matrix/sheet/rows.ts";
import { Lookup } from "#ui/popups/Lookup.tsx";
import { Popup } from "#ui/popups/Popup.tsx";
import type { Package } from "../queries.ts";
import { type FoundApp, findApps, findPackages } from "./queries.ts";

type PickProps = {
  label: string;
  button: string;
  icon: IconName;
  place?: "bottom-start" | "bottom-end";
  children: (close: () => void) => ReactNode;
};

const PickButton = ({ label, button, icon, place = "bottom-start", children }: PickProps) => {
  const [opened, setOpened] = useState(false);
  return (
    <Popup
      kind="dialog"
      label={label}
      opened={opened}
      onClose={() => setOpened(false)}
      place={place}
      width={300}
      trigger={
        <Button
          variant="default"
          leftSection={<Icon name={icon} />}
          aria-expanded={opened}
          onClick={() => setOpened(!opened)}
        >
          {button}
        </Button>
      }
    >
      {children}
    </Popup>
  );
};

type AddProps = {
  button?: string;
  isIn: (app: FoundApp) => boolean;
  onAdd: (app: FoundApp) => void;
};

export const AddApp = ({ button = t`Add app`, isIn, onAdd }: AddProps) => (
  <PickButton label={t`Add app`} button={button} icon="plus" place="bottom-end">
    {(close) => (
      <Lookup
        label={t`Search apps`}
        empty={t`No apps found`}
        name={["apps", "find"]}
        read={findApps}
        fits={(app) => !isIn(app)}
        draw={(app) => (
          <>
            <Tile icon={app.icon} size={20} />
            <span>{app.name}</span>
            <span className="softer mono">{app.code}</span>
            {app.status === "draft" && <span className="softer">{t`Draft`}</span>}
          </>
        )}
        onPick={(app) => {
          close();
          onAdd(app);
        }}
      />
    )}
  </PickButton>
);

const comparedMax = 4;

type CompareProps = {
  own: Package;
  compared: readonly string[];
  onCompare: (ids: string[]) => void;
};

/** The other packages to compare with, from the URL. */
export const Compare = ({ own, compared, onCompare }: CompareProps) => (
  <PickButton label={t`Compare with packages`} button={t`Compare with…`} icon="columns-3">
    {() => (
      <Lookup
        label={t`Search packages`}
        empty={t`No packages found`}
        name={["packages", "find"]}
        read={findPackages}
        fits={({ id }) => id !== own.id}
        draw={({ name, kind }) => (
          <>
            <span>{name}</span>
            {kind === "add-on" && <span className="softer">{t`Add-on`}</span>}
          </>
        )}
        isPicked={({ id }) => compared.includes(id)}
        onPick={({ id }) => {
          if (compared.includes(id)) onCompare(compared.filter((one) => one !== id));
          else if (compared.length < comparedMax) onCompare([...compared, id]);
        }}
        note={
          compared.length >= comparedMax && t`You can compare ${comparedMax} packages at a time.`
        }
      />
    )}
  </PickButton>
);

export const CopyFrom = ({ own, onCopy }: { own: Package; onCopy: (pack: Package) => void }) => (
  <PickButton label={t`Copy from a package`} button={t`Copy from…`} icon="copy">
    {(close) => (
      <Lookup
        label={t`Search packages`}
        empty={t`No packages found`}
        name={["packages", "find"]}
        read={findPackages}
        fits={({ id }) => id !== own.id}
        draw={({ name }) => <span>{name}</span>}
        onPick={(pack) => {
          close();
          onCopy(pack);
        }}
        note={t`Copies its apps and their values into this draft.`}
      />
    )}
  </PickButton>
);

type NarrowProps = { value: RowFilter; onChange: (value: RowFilter) => void };

export const Narrow = ({ value, onChange }: NarrowProps) => (
  <>
    {(["onlyChanged", "onlyDifferences"] as const).map((name) => (
      <Button
        key={name}
        variant="default"
        className="matrix-toggle"
        aria-pressed={value[name]}
        onClick={() => onChange({ ...value, [name]: !value[name] })}
      >
        {name === "onlyChanged" ? t`Only changed` : t`Only differences`}
      </Button>
    ))}
  </>
);

type IconProps = {
  label: string;
  tip: string;
  icon: IconName;
  isOff?: boolean;
  onPress: () => void;
};

export const ToolbarIcon = ({ label, tip, icon, isOff = false, onPress }: IconProps) => (
  <ActionIcon
    variant="default"
    size={30}
    aria-label={label}
    data-tip={tip}
    // Not disabled, because disabling it would lose the focus.
    aria-disabled={isOff}
    onClick={() => !isOff && onPress()}
  >
    <Icon name={icon} />
  </ActionIcon>
);

type MoreProps = {
  onFill: () => void;
  onOpenAll: () => void;
  onCloseAll: () => void;
  mayEdit: boolean;
};

export const MoreActions = ({ onFill, onOpenAll, onCloseAll, mayEdit }: MoreProps) => {
  const [opened, setOpened] = useState(false);
  return (
    <Popup
      kind="menu"
      label={t`More actions`}
      opened={opened}
      onClose={() => setOpened(false)}
      place="bottom-end"
      width={230}
      trigger={
        <ActionIcon
          variant="default"
          size={30}
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
          <Menu.Item leftSection={<Icon name="chevron-down" />} onClick={onOpenAll}>
            {t`Expand all`}
          </Menu.Item>
          <Menu.Item leftSection={<Icon name="chevron-right" />} onClick={onCloseAll}>
            {t`Collapse all`}
          </Menu.Item>
          {mayEdit && (
            <>
              <Menu.Divider />
              <Menu.Item leftSection={<Icon name="arrow-down" />} onClick={onFill}>
                {t`Set empty values to default`}
              </Menu.Item>
            </>
          )}
        </>
      )}
    </Popup>
  );
};
