import { part } from "#ui/page/lazyPart.tsx";
import type { Endpoint } from "./queries.ts";

const dialogs = () => import("./dialogs.tsx");
const RollDialog = part(async () => (await dialogs()).RollDialog);
const DisableDialog = part(async () => (await dialogs()).DisableDialog);
const DeleteDialog = part(async () => (await dialogs()).DeleteDialog);
const ResendDialog = part(async () => (await dialogs()).ResendDialog);
const EndpointDialog = part(async () => (await import("./EndpointDialog.tsx")).EndpointDialog);

const endpointDialogs = {
  edit: EndpointDialog,
  roll: RollDialog,
  disable: DisableDialog,
  delete: DeleteDialog,
  resend: ResendDialog,
};

/** An action on an endpoint that opens a dialog first. */
export type EndpointAction = { about: keyof typeof endpointDialogs; endpoint: Endpoint };

export const EndpointActionDialog = ({
  about,
  endpoint,
  onClose,
}: EndpointAction & { onClose: () => void }) => {
  const Dialog = endpointDialogs[about];
  return <Dialog endpoint={endpoint} onClose={onClose} />;
};
