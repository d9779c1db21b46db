import "./saveView.css";
import { t } from "@lingui/core/macro";
import { Button, Checkbox, TextInput } from "@mantine/core";
import "@mantine/core/styles/Checkbox.layer.css";
import type { ListSearch } from "@purser/contract/pages/listSearch";
import type { SavedView } from "@purser/contract/workspace/preferences";
import {
  changeSharedView,
  deleteSharedView,
  sharedViewsMax,
  shareView,
} from "@purser/contract/workspace/sharedViews";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "#lib/api/call.ts";
import { queryClient } from "#lib/api/queryClient.ts";
import {
  chooseDefaultView,
  currentPreferences,
  updatePreferences,
} from "#lib/session/preferences.ts";
import { useMay, useMe } from "#lib/session/session.ts";
import { attempt, toast, undoAction } from "#ui/popups/toast.ts";
import {
  defaultViewOf,
  type ListView,
  referenceOf,
  searchOf,
  sharedViewsQuery,
  useSharedViews,
  withView,
} from "./savedViews.ts";

export type SaveViewProps = {
  name: string;
  search: ListSearch;
  /** The visible columns. */
  columns: string[];
  current: ListView | undefined;
};

const viewsMax = 20;

const refresh = () => queryClient.invalidateQueries({ queryKey: sharedViewsQuery.queryKey });

/** The requests that store a view where it belongs. */
const useStore = (name: string, current: ListView | undefined) => {
  const views = currentPreferences().views[name] ?? [];
  const own = current && !current.shared ? views.filter((one) => one.name !== current.name) : views;
  const keep = (next: SavedView[]) => updatePreferences({ views: { [name]: next } });
  const saveShared = async (view: SavedView, isDefault: boolean) => {
    const body = { ...view, isDefault };
    const saved = current?.shared
      ? await call(changeSharedView, { params: { id: current.shared.id }, body })
      : await call(shareView, { body: { list: name, ...body } });
    // A view is either shared or the user's own.
    if (own.length < views.length) await keep(own);
    return saved.id;
  };
  const saveOwn = async (view: SavedView) => {
    // A renamed view keeps its position.
    const renamed = views.map((one) => (one.name === current?.name ? view : one));
    await keep(withView(current && !current.shared ? renamed : views, view));
    if (current?.shared) await call(deleteSharedView, { params: { id: current.shared.id } });
    return view.name;
  };
  const remove = async () => {
    if (!current?.shared) {
      await keep(own);
      return () => keep(views);
    }
    const { shared, ...view } = current;
    await call(deleteSharedView, { params: { id: shared.id } });
    await refresh();
    return async () => {
      await call(shareView, { body: { list: name, ...view, isDefault: false } });
      await refresh();
    };
  };
  return { saveShared, saveOwn, remove, isFull: own.length >= viewsMax };
};

/** What the user may do with a view. */
const usePowers = (current: ListView | undefined) => {
  const { id, role } = useMe();
  const mayShare = useMay("views:share");
  const shared = current?.shared;
  return {
    mayShare,
    mayChange: !shared || (mayShare && (shared.owner?.id === id || role === "owner")),
    mayKeep: !shared || shared.owner?.id === id,
    isOwner: role === "owner",
  };
};

type Choices = { isShared: boolean; withColumns: boolean; isFirst: boolean; isTeamFirst: boolean };

type ChoiceProps = {
  choices: Choices;
  powers: ReturnType<typeof usePowers>;
  onChange: (choices: Choices) => void;
};

const ViewChoices = ({ choices, powers, onChange }: ChoiceProps) => {
  const { mayShare, mayChange, mayKeep, isOwner } = powers;
  const box = (name: keyof Choices, label: string, isDisabled = false) => (
    <Checkbox
      label={label}
      disabled={isDisabled}
      checked={choices[name]}
      onChange={({ currentTarget: { checked } }) => onChange({ ...choices, [name]: checked })}
    />
  );
  return (
    <>
      {mayShare && mayChange && box("isShared", t`Share with your team`, !mayKeep)}
      {mayChange && box("withColumns", t`Include these columns`)}
      {box("isFirst", t`Open this view first`)}
      {isOwner && choices.isShared && box("isTeamFirst", t`Default for the whole team`)}
    </>
  );
};

const describe = (
  current: ListView | undefined,
  { mayChange }: { mayChange: boolean },
  { isFull, isShared }: { isFull: boolean; isShared: boolean },
) => {
  const owner = current?.shared?.owner?.name;
  if (isFull) return t`You can save up to ${viewsMax} views. Delete one first.`;
  if (owner && !mayChange) return t`Shared by ${owner}. Only they or an owner can change it.`;
  if (owner) return t`Shared by ${owner}.`;
  return isShared
    ? t`Visible to your whole team, up to ${sharedViewsMax} per list.`
    : t`Only visible to you.`;
};

const isSame = (a: ListView | undefined, b: ListView | undefined) =>
  a !== undefined && b !== undefined && referenceOf(a) === referenceOf(b);

export const SaveViewForm = (props: SaveViewProps & { onDone: () => void }) => {
  const { name, search, columns, current, onDone } = props;
  const navigate = useNavigate();
  const powers = usePowers(current);
  const store = useStore(name, current);
  const wasFirst = isSame(current, defaultViewOf(name, currentPreferences(), useSharedViews()));
  const [typed, setTyped] = useState(current?.name ?? "");
  const [choices, setChoices] = useState<Choices>({
    isShared: current?.shared !== undefined,
    withColumns: current?.cols !== undefined,
    isFirst: wasFirst,
    isTeamFirst: current?.shared?.isDefault ?? false,
  });
  const { isShared, withColumns, isFirst, isTeamFirst } = choices;
  const given = typed.trim();
  const isOwn = current !== undefined && !current.shared;
  const isFull = !isShared && store.isFull && !isOwn;

  const keep = async () => {
    if (current && !powers.mayChange) return referenceOf(current);
    const { q, f, sort } = search;
    const { cols: _, ...looked } = searchOf({ q, f, sort });
    const view = { ...looked, ...(withColumns && { cols: columns }), name: given, f };
    return isShared ? store.saveShared(view, isTeamFirst) : store.saveOwn(view);
  };
  const save = () =>
    attempt(async () => {
      const reference = await keep();
      if (isFirst || wasFirst) await chooseDefaultView(name, isFirst ? reference : "");
      if (isShared || current?.shared) await refresh();
      onDone();
    });
  const remove = () =>
    attempt(async () => {
      const restore = await store.remove();
      onDone();
      void navigate({ to: ".", search: {} as never });
      toast(t`View deleted`, undoAction(restore));
    });
  return (
    <form
      className="save-view"
      onSubmit={(event) => {
        event.preventDefault();
        if (given && !isFull) void save();
      }}
    >
      <TextInput
        label={t`View name`}
        description={describe(current, powers, { isFull, isShared })}
        data-autofocus
        readOnly={!powers.mayChange}
        maxLength={40}
        value={typed}
        onChange={({ currentTarget: { value } }) => setTyped(value)}
      />
      <ViewChoices choices={choices} powers={powers} onChange={setChoices} />
      <div className="save-view-actions">
        {current && powers.mayChange && (
          <Button variant="default" size="xs" onClick={remove}>
            {t`Delete view`}
          </Button>
        )}
        <Button type="submit" size="xs" disabled={!given || isFull}>
          {t`Save view`}
        </Button>
      </div>
    </form>
  );
};
