import "../transactions.css";
import type { ComponentProps } from "react";
import { ActionDialog as AnyActDialog } from "#ui/dialogs/ActionDialog.tsx";
import { transactionsChanged } from "../queries.ts";

type Props<Saved> = Omit<ComponentProps<typeof AnyActDialog<Saved>>, "changed">;

/** A dialog for an action on a transaction or subscription; the action runs once. */
export const ActionDialog = <Saved,>(props: Props<Saved>) => (
  <AnyActDialog {...props} changed={transactionsChanged} />
);
