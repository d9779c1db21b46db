import { t } from "@lingui/core/macro";
import { ActionIcon } from "@mantine/core";
import { queryOf } from "@purser/contract/pages/listSearch";
import { useLocation, useNavigate, useParams } from "@tanstack/react-router";
import { useShortcuts } from "#lib/shortcuts.ts";
import { Icon } from "../Icon.tsx";
import { attempt } from "../popups/toast.ts";
import { shownPage } from "./shownPage.ts";

type Step = 1 | -1;

/** The record that the list has before or after this one, which may be on another page of it. */
const findNeighbor = async (id: string, step: Step) => {
  const shown = shownPage.current;
  if (!shown) return undefined;
  const { query, rows, read } = shown;
  const inside = rows.items[rows.items.findIndex((row) => row.id === id) + step];
  if (inside) return inside.id;
  const cursor = step > 0 ? rows.next : rows.previous;
  if (!cursor) return undefined;
  const { q, f = [], sort, size } = query;
  const asked = queryOf({ q, f, sort, size, [step > 0 ? "after" : "before"]: cursor });
  const loaded = await read(asked, AbortSignal.timeout(10_000));
  if (loaded.items.length > 0) shownPage.current = { ...shown, query: asked, rows: loaded };
  return loaded.items.at(step > 0 ? 0 : -1)?.id;
};

const hasNeighbor = (id: string, step: Step) => {
  const { items = [], next, previous } = shownPage.current?.rows ?? {};
  const place = items.findIndex((row) => row.id === id);
  return items[place + step] !== undefined || Boolean(step > 0 ? next : previous);
};

/** Goes through the records of the list from which this one was opened. */
export const Neighbors = () => {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  const path = useLocation({ select: ({ pathname }) => pathname });
  const navigate = useNavigate();
  const isListed = shownPage.current?.rows.items.some((row) => row.id === id) ?? false;
  const go = (step: Step) =>
    void attempt(async () => {
      const found = await findNeighbor(id, step);
      if (found) await navigate({ to: path.replace(id, found), search: true, hash: "" } as never);
    });
  const steps = [
    { step: -1, keys: "[", does: t`Previous record of the list`, icon: "chevron-left" },
    { step: 1, keys: "]", does: t`Next record of the list`, icon: "chevron-right" },
  ] as const;
  useShortcuts(
    isListed
      ? steps.map(({ step, keys, does }) => ({
          keys,
          does,
          group: "records" as const,
          run: () => go(step),
        }))
      : [],
  );
  if (!isListed) return null;
  return (
    <span className="neighbors wide-only">
      {steps.map(({ step, does, icon }) => (
        <ActionIcon
          key={step}
          variant="default"
          size={32}
          aria-label={does}
          title={does}
          disabled={!hasNeighbor(id, step)}
          onClick={() => go(step)}
        >
          <Icon name={icon} />
        </ActionIcon>
      ))}
    </span>
  );
};
