import { pageAddress } from "#lib/page/runtime.ts";
import "#ui/styles/modalSheets.ts";
import "@mantine/core/styles/Modal.layer.css";
import "./Palette.css";
import { Modal } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { getApp, listApps } from "@purser/contract/apps/endpoints";
import type { Permission } from "@purser/contract/auth/permissions";
import { getFeature, listFeatures } from "@purser/contract/features/endpoints";
import type { Wire } from "@purser/contract/http/endpoint";
import { getPackage, listPackages } from "@purser/contract/packages/endpoints";
import { getPromotion, listPromotions } from "@purser/contract/promotions/endpoints";
import { getTransaction, listTransactions } from "@purser/contract/transactions/endpoints";
import { getUser, listUsers } from "@purser/contract/users/endpoints";
import { useQueries } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { call } from "#lib/api/call.ts";
import { outcomeOf } from "#lib/api/userFacingError.ts";
import { prefer } from "#lib/session/preferences.ts";
import { recentRecords } from "#lib/session/recentRecords.ts";
import { useMe } from "#lib/session/session.ts";
import { useBoundShortcuts } from "#lib/shortcuts.ts";
import { Icon, Tile } from "#ui/Icon.tsx";
import { Keys } from "#ui/Keys.tsx";
import { attempt } from "#ui/popups/toast.ts";
import { creations, groups } from "../navigation/entries.ts";
import { leave } from "../signIn/signOut.ts";

type Option = {
  id: string;
  group: string;
  label: string;
  note?: string;
  icon: string;
  keys?: string;
  /** With Ctrl, a place opens in a new tab. */
  path?: string;
  run?: () => unknown;
};

const searchMs = 150;

/** What can be done here and now, from what is bound, beside the places. */
const useOwnOptions = (onShortcuts: () => void): Option[] => {
  const { permissions } = useMe();
  const bound = useBoundShortcuts();
  const open = ({ permission }: { permission?: (typeof permissions)[number] }) =>
    !permission || permissions.includes(permission);
  const here = bound.filter(({ group }) => group === "Records and forms");
  return [
    ...recentRecords().map(({ path, label, icon }) => ({
      id: `recent:${path}`,
      group: "Recent",
      label,
      icon,
      path,
    })),
    ...groups
      .flatMap(({ entries }) => entries)
      .filter(open)
      .map(({ to, label, icon, key }) => ({
        id: to,
        group: "Go to",
        label,
        icon,
        keys: `g ${key}`,
        path: to,
      })),
    {
      id: "/account",
      group: "Go to",
      label: "Profile and security",
      icon: "shield-lock",
      path: "/account",
    },
    ...creations
      .filter(open)
      .map(({ to, label, icon }) => ({ id: to, group: "Create", label, icon, path: to })),
    ...here.map(({ keys, does, run }) => ({
      id: `here:${keys}`,
      group: "On this page",
      label: does,
      icon: "bolt",
      keys,
      run: () => run(new window.KeyboardEvent("keydown")),
    })),
    ...(["light", "dark", "system"] as const).map((theme) => ({
      id: `theme:${theme}`,
      group: "Preferences",
      label: `Theme: ${theme}`,
      icon: "adjustments",
      run: () => attempt(() => prefer({ theme })),
    })),
    {
      id: "keys",
      group: "Preferences",
      label: "Keyboard shortcuts",
      icon: "keyboard",
      keys: "?",
      run: onShortcuts,
    },
    { id: "leave", group: "Preferences", label: "Sign out", icon: "logout", run: leave },
  ];
};

const idPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

type Found = Pick<Option, "id" | "label" | "note" | "icon">;

/** Records that can be searched: by name or code, or the one with that id. */
const sources: {
  group: string;
  permission: Permission;
  path: string;
  find: (q: string, signal: AbortSignal) => Promise<Found[]>;
  read: (id: string, signal: AbortSignal) => Promise<Found>;
}[] = [
  {
    group: "Transactions",
    permission: "transactions:read",
    path: "/transaction/view/",
    find: async (q, signal) =>
      (await call(listTransactions, { query: { q, ...few }, signal })).items.map(transactionFound),
    read: async (id, signal) =>
      transactionFound(await call(getTransaction, { params: { id }, signal })),
  },
  {
    group: "Users",
    permission: "users:read",
    path: "/users/view/",
    find: async (q, signal) =>
      (await call(listUsers, { query: { q, ...few }, signal })).items.map(userFound),
    read: async (id, signal) => userFound(await call(getUser, { params: { id }, signal })),
  },
  {
    group: "Packages",
    permission: "packages:read",
    path: "/package/view/",
    find: async (q, signal) =>
      (await call(listPackages, { query: { q, ...few }, signal })).items.map(packageFound),
    read: async (id, signal) => packageFound(await call(getPackage, { params: { id }, signal })),
  },
  {
    group: "Apps",
    permission: "apps:read",
    path: "/apps/view/",
    find: async (q, signal) =>
      (await call(listApps, { query: { q, ...few }, signal })).items.map(appFound),
    read: async (id, signal) => appFound(await call(getApp, { params: { id }, signal })),
  },
  {
    group: "Features",
    permission: "features:read",
    path: "/feature/view/",
    find: async (q, signal) =>
      (await call(listFeatures, { query: { q, ...few }, signal })).items.map(featureFound),
    read: async (id, signal) => featureFound(await call(getFeature, { params: { id }, signal })),
  },
  {
    group: "Promotions",
    permission: "promotions:read",
    path: "/promotion?preview=",
    find: async (q, signal) =>
      (await call(listPromotions, { query: { q, ...few }, signal })).items.map(promotionFound),
    read: async (id, signal) =>
      promotionFound(await call(getPromotion, { params: { id }, signal })),
  },
];

const few = { size: "8", count: "none" } as const;

const transactionFound = ({
  id,
  number,
  user,
}: Pick<Wire<typeof getTransaction>["reply"], "id" | "number" | "user">) => ({
  id,
  label: number,
  note: user.name || user.email,
  icon: "receipt",
});

const userFound = ({ id, name, email, number }: Wire<typeof getUser>["reply"]) => ({
  id,
  label: name || email,
  note: `${name ? `${email} ` : ""}${number}`,
  icon: "user-circle",
});

const packageFound = ({ id, name, code }: Wire<typeof getPackage>["reply"]) => ({
  id,
  label: name,
  note: code,
  icon: "package",
});

const appFound = ({ id, name, code, icon }: Wire<typeof getApp>["reply"]) => ({
  id,
  label: name,
  note: code,
  icon,
});

const featureFound = ({ id, name, code, app }: Wire<typeof getFeature>["reply"]) => ({
  id,
  label: name,
  note: `${app.code}.${code}`,
  icon: app.icon,
});

const promotionFound = ({ id, name, code }: Wire<typeof getPromotion>["reply"]) => ({
  id,
  label: name,
  note: code ?? "",
  icon: "discount",
});

/** Records, from the server, once two letters are typed. */
const useRecords = (query: string): Option[] => {
  const { permissions } = useMe();
  const [asked] = useDebouncedValue(query.trim(), searchMs);
  const enabled = asked.length >= 2;
  const open = sources.filter(({ permission }) => permissions.includes(permission));
  const answers = useQueries({
    queries: open.map(({ group, find, read }) => ({
      queryKey: [group.toLowerCase(), "palette", asked],
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        if (!idPattern.test(asked)) return find(asked, signal);
        const found = await outcomeOf(read(asked, signal));
        return found.value ? [found.value] : [];
      },
      enabled,
    })),
  });
  if (!enabled || query.trim() !== asked) return [];
  return open.flatMap(({ group, path }, place) =>
    (answers[place]?.data ?? []).map((found) => ({ ...found, group, path: `${path}${found.id}` })),
  );
};

const isWanted = ({ label, group }: Option, words: string[]) =>
  words.length === 0
    ? group !== "Preferences"
    : words.every((word) => `${label} ${group}`.toLowerCase().includes(word));

const marked = (text: string, query: string): ReactNode => {
  const place = query ? text.toLowerCase().indexOf(query.toLowerCase()) : -1;
  if (place < 0) return text;
  const end = place + query.length;
  return (
    <>
      {text.slice(0, place)}
      <mark>{text.slice(place, end)}</mark>
      {text.slice(end)}
    </>
  );
};

type Props = {
  /** Counts up each time it is asked for. */
  opened: number;
  onShortcuts: () => void;
};

export const Palette = ({ opened, onShortcuts }: Props) => {
  const [shown, setShown] = useState(false);
  useEffect(() => setShown(opened > 0), [opened]);
  return (
    <Modal.Root opened={shown} onClose={() => setShown(false)} size={640} yOffset={112} radius="lg">
      <Modal.Overlay />
      <Modal.Content aria-label="Search or jump to" className="palette">
        <Search onDone={() => setShown(false)} onShortcuts={onShortcuts} />
      </Modal.Content>
    </Modal.Root>
  );
};

const Search = ({ onDone, onShortcuts }: { onDone: () => void; onShortcuts: () => void }) => {
  const listId = useId();
  const router = useRouter();
  const [query, setQuery] = useState("");
  const [active, setActive] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const own = useOwnOptions(onShortcuts).filter((option) => isWanted(option, words));
  const records = useRecords(query);
  // What was opened lately is already offered above.
  const options = [...own, ...records.filter(({ path }) => !own.some((one) => one.path === path))];
  const place = Math.min(active, options.length - 1);
  const idOf = (index: number) => `${listId}-${index}`;

  const choose = ({ path, run }: Option, inNewTab: boolean) => {
    onDone();
    if (path && inNewTab) window.open(pageAddress(path));
    else if (path) void router.navigate({ href: path });
    else setTimeout(() => run?.());
  };

  const move = (by: number) => {
    const next = (place + by + options.length) % options.length;
    setActive(next);
    list.current?.querySelector(`[id="${idOf(next)}"]`)?.scrollIntoView({ block: "nearest" });
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const chosen = options[place];
    if (event.nativeEvent.isComposing || (!step && event.key !== "Enter")) return;
    event.preventDefault();
    if (step && options.length > 0) move(step);
    else if (chosen) choose(chosen, event.ctrlKey || event.metaKey);
  };

  return (
    <>
      <div className="palette-search">
        <Icon name="search" size={18} />
        <input
          role="combobox"
          aria-label="Search or jump to"
          aria-expanded="true"
          aria-controls={listId}
          aria-autocomplete="list"
          {...(place >= 0 && { "aria-activedescendant": idOf(place) })}
          placeholder="A name, a code, or what you want to do"
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          value={query}
          onChange={({ currentTarget }) => {
            setQuery(currentTarget.value);
            setActive(0);
          }}
          onKeyDown={onKeyDown}
        />
        <Keys keys="escape" />
      </div>
      <div className="palette-list" role="listbox" id={listId} aria-label="Results" ref={list}>
        {options.map((option, index) => (
          <div key={option.id} role="presentation">
            {options[index - 1]?.group !== option.group && (
              <div className="palette-group" role="presentation">
                {option.group}
              </div>
            )}
            {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the search field's. */}
            <div
              className="palette-option"
              role="option"
              tabIndex={-1}
              id={idOf(index)}
              aria-selected={index === place}
              onMouseMove={() => setActive(index)}
              onClick={(event) => choose(option, event.ctrlKey || event.metaKey)}
            >
              <Tile icon={option.icon} size={26} />
              <span>
                {marked(option.label, query.trim())}
                {option.note && <small className="mono">{marked(option.note, query.trim())}</small>}
              </span>
              <span className="spacer" />
              {option.keys && <Keys keys={option.keys} />}
            </div>
          </div>
        ))}
      </div>
      {options.length === 0 && (
        <p className="palette-none" role="status">
          Nothing matches. Try a name, or a part of it.
        </p>
      )}
      <div className="palette-foot">
        <Keys keys="arrowup" />
        <Keys keys="arrowdown" />
        move
        <Keys keys="enter" />
        open
        <Keys keys="mod+enter" />
        in a new tab
      </div>
    </>
  );
};
