import { plural, t } from "@lingui/core/macro";
import {
  archivePromotion,
  pausePromotion,
  publishPromotion,
  restorePromotion,
  resumePromotion,
} from "@purser/contract/promotions/endpoints";
import { call } from "#lib/api/call.ts";
import { toast, undoAction } from "#ui/popups/toast.ts";
import { sendEach } from "#ui/record/sendEach.ts";
import { withSkipped } from "#ui/record/skipped.ts";
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

export const publish = async (promotion: Promotion) => {
  const { name } = await done("publish", promotion);
  toast(t`${name} published`);
};

export const resume = async (promotion: Promotion) => {
  const { name } = promotion;
  const saved = await done("resume", promotion);
  toast(
    t`${name} resumed`,
    undoAction(() => done("pause", saved)),
  );
};

export const pause = async (promotion: Promotion) => {
  const { name } = promotion;
  const saved = await done("pause", promotion);
  toast(
    t`${name} paused`,
    undoAction(() => resume(saved)),
  );
};

export const restore = async (promotion: Promotion) => {
  const { name } = await done("restore", promotion);
  toast(t`${name} restored. Resume it to make it available.`);
};

export const archive = async (promotion: Promotion) => {
  const { name } = promotion;
  const saved = await done("archive", promotion);
  toast(
    t`${name} archived`,
    undoAction(() => restore(saved)),
  );
};

const doneText = {
  pause: (count: number) =>
    plural(count, { one: "# promotion paused", other: "# promotions paused" }),
  resume: (count: number) =>
    plural(count, { one: "# promotion resumed", other: "# promotions resumed" }),
  archive: (count: number) =>
    plural(count, { one: "# promotion archived", other: "# promotions archived" }),
  restore: (count: number) =>
    plural(count, { one: "# promotion restored", other: "# promotions restored" }),
};
const back = { pause: "resume", resume: "pause", archive: "restore", restore: null } as const;

export const sendToMany = async (
  promotions: Promotion[],
  sendOne: (promotion: Promotion) => Promise<Promotion>,
) => {
  const outcome = await sendEach(promotions, sendOne);
  await promotionsChanged();
  return outcome;
};

export const applyToMany = async (action: keyof typeof doneText, promotions: Promotion[]) => {
  const { saved, skipped } = await sendToMany(promotions, (one) => send(action, one));
  const undo = back[action];
  toast(
    await withSkipped(doneText[action](saved.length), skipped),
    undo && saved.length > 0 ? undoAction(() => applyToMany(undo, saved)) : undefined,
  );
};

export const canPause = ({ status }: Promotion) =>
  status === "running" || status === "scheduled" || status === "used up";

export const canArchive = ({ status }: Promotion) => status !== "draft" && status !== "archived";

/** A promotion without an end date can't be extended. */
export const canExtend = ({ status, endsAt }: Promotion) =>
  status !== "archived" && endsAt !== null;
