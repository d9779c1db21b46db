import "../transactions.css";
import type { ComponentProps } from "react";
import { ActionDialog as AnyActionDialog } from "#ui/dialogs/ActionDialog.tsx";
import { transactionsChanged } from "../queries.ts";

type Props<Saved> = Omit<ComponentProps<typeof AnyActionDialog<Saved>>, "changed">;

/** A dialog for an action on a transaction or subscription; the action runs once. */
export const ActionDialog = <Saved,>(props: Props<Saved>) => (
  <AnyActionDialog {...props} changed={transactionsChanged} />
);
