import {
  archivePromotion,
  pausePromotion,
  publishPromotion,
  restorePromotion,
  resumePromotion,
} from "@purser/contract/promotions/endpoints";
import { call } from "#lib/api/call.ts";
import { count } from "#lib/labels.ts";
import { toast } from "#ui/popups/toast.ts";
import { sendEach } from "#ui/record/sendEach.ts";
import { statusLabels } from "./labels.ts";
import { type Promotion, promotionSaved, promotionsChanged } from "./queries.ts";

const endpoints = {
  publish: publishPromotion,
  pause: pausePromotion,
  resume: resumePromotion,
  archive: archivePromotion,
  restore: restorePromotion,
} as const;
type Action = keyof typeof endpoints;

const send = (action: Action, { id, version }: Promotion) =>
  call(endpoints[action], { params: { id }, version, body: {} });

const done = async (action: Action, promotion: Promotion) => {
  const saved = await send(action, promotion);
  promotionSaved(saved);
  return saved;
};

const told = ({ name, status }: Promotion) =>
  `${name} is ${statusLabels[status].word.toLowerCase()}.`;

export const publish = async (promotion: Promotion) =>
  toast(told(await done("publish", promotion)));

export const resume = async (promotion: Promotion) => {
  const saved = await done("resume", promotion);
  toast(told(saved), { label: "Undo", run: () => done("pause", saved) });
};

export const pause = async (promotion: Promotion) => {
  const saved = await done("pause", promotion);
  toast(`${saved.name} is paused.`, { label: "Undo", run: () => resume(saved) });
};

export const restore = async (promotion: Promotion) => {
  const saved = await done("restore", promotion);
  toast(`${saved.name} is back. Nobody can use it before you resume it.`);
};

export const archive = async (promotion: Promotion) => {
  const saved = await done("archive", promotion);
  toast(`${saved.name} is archived.`, { label: "Undo", run: () => restore(saved) });
};

const past = { pause: "paused", resume: "resumed", archive: "archived", restore: "restored" };
const back = { pause: "resume", resume: "pause", archive: "restore", restore: null } as const;

export const sendToMany = async (
  promotions: Promotion[],
  sendOne: (promotion: Promotion) => Promise<Promotion>,
) => {
  const outcome = await sendEach("promotion", promotions, sendOne);
  await promotionsChanged();
  return outcome;
};

export const applyToMany = async (action: keyof typeof past, promotions: Promotion[]) => {
  const { saved, stayed } = await sendToMany(promotions, (one) => send(action, one));
  const undo = back[action];
  toast(
    `${count(saved.length, "promotion")} ${past[action]}.${stayed}`,
    undo && saved.length > 0 ? { label: "Undo", run: () => applyToMany(undo, saved) } : undefined,
  );
};

export const canPause = ({ status }: Promotion) =>
  status === "running" || status === "scheduled" || status === "used up";

export const canArchive = ({ status }: Promotion) => status !== "draft" && status !== "archived";

/** A promotion without an end date can't be extended. */
export const canExtend = ({ status, endsAt }: Promotion) =>
  status !== "archived" && endsAt !== null;
