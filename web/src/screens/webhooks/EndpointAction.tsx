import { part } from "#ui/page/lazyPart.tsx";
import type { Endpoint } from "./queries.ts";

const dialogs = () => import("./dialogs.tsx");
const RollDialog = part(async () => (await dialogs()).RollDialog);
const DisableDialog = part(async () => (await dialogs()).DisableDialog);
const DeleteDialog = part(async () => (await dialogs()).DeleteDialog);
const SimulationDialog = part(async () => (await dialogs()).SimulationDialog);
const EndpointDialog = part(async () => (await import("./EndpointDialog.tsx")).EndpointDialog);

const asked = {
  edit: EndpointDialog,
  roll: RollDialog,
  disable: DisableDialog,
  delete: DeleteDialog,
  replay: SimulationDialog,
};

/** An action on an endpoint that opens a dialog first. */
export type Question = { about: keyof typeof asked; endpoint: Endpoint };

export const Asking = ({ about, endpoint, onClose }: Question & { onClose: () => void }) => {
  const Dialog = asked[about];
  return <Dialog endpoint={endpoint} onClose={onClose} />;
};
