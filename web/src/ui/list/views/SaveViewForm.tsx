import { t } from "@lingui/core/macro";
import { Button, TextInput } from "@mantine/core";
import type { ListSearch } from "@purser/contract/pages/listSearch";
import type { SavedView } from "@purser/contract/workspace/preferences";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { currentPreferences, updatePreferences } from "#lib/session/preferences.ts";
import { attempt, toast, undoAction } from "#ui/popups/toast.ts";
import { searchOf, withView } from "./savedViews.ts";

type Props = {
  name: string;
  search: ListSearch;
  current: SavedView | undefined;
  onDone: () => void;
};

const viewsMax = 20;

export const SaveViewForm = ({ name, search, current, onDone }: Props) => {
  const navigate = useNavigate();
  const [typed, setTyped] = useState(current?.name ?? "");
  const views = currentPreferences().views[name] ?? [];
  const given = typed.trim();
  const keep = (next: SavedView[]) => updatePreferences({ views: { [name]: next } });
  const others = views.filter((one) => one !== current);
  const isFull = others.length >= viewsMax;
  const save = () =>
    attempt(async () => {
      const view = { name: given, f: search.f, ...searchOf(search) };
      // A renamed view keeps its position.
      const renamed = views.map((one) => (one === current ? view : one));
      await keep(withView(current ? renamed : views, view));
      onDone();
    });
  const remove = () =>
    attempt(async () => {
      await keep(others);
      onDone();
      void navigate({ to: ".", search: {} as never });
      toast(
        t`View deleted`,
        undoAction(() => keep(views)),
      );
    });
  return (
    <form
      className="save-view"
      onSubmit={(event) => {
        event.preventDefault();
        if (given) void save();
      }}
    >
      <TextInput
        label={t`View name`}
        description={
          isFull
            ? t`You can save up to ${viewsMax} views. Delete one first.`
            : t`Only visible to you.`
        }
        data-autofocus
        maxLength={40}
        value={typed}
        onChange={({ currentTarget: { value } }) => setTyped(value)}
      />
      <div className="save-view-actions">
        {current && (
          <Button variant="default" size="xs" onClick={remove}>
            {t`Delete view`}
          </Button>
        )}
        <Button type="submit" size="xs" disabled={!given || isFull}>
          {current ? t`Rename view` : t`Save view`}
        </Button>
      </div>
    </form>
  );
};
