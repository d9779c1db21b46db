import { t } from "@lingui/core/macro";
import { appListFields } from "@purser/contract/apps/fields";
import type { keyKinds } from "@purser/contract/apps/keys";
import { series } from "#lib/intl.ts";
import { keyKindNames, platformNames } from "#lib/labels/apps.ts";
import { listLabels } from "#ui/list/filters/filterLabels.ts";
import { lifeOptions } from "#ui/record/lifecycle.tsx";

export const platformsOf = (chosen: readonly (keyof typeof platformNames)[]) =>
  series(chosen.map((platform) => platformNames[platform]));

export const fieldLabels = listLabels(appListFields, {
  status: { options: lifeOptions },
  platforms: { options: platformNames },
});

export const kindLabels: Record<(typeof keyKinds)[number], { label: string; help: string }> = {
  server: { label: keyKindNames.server, help: t`For your servers. Keep it secret.` },
  publishable: {
    label: keyKindNames.publishable,
    help: t`For web pages, with a customer token from your server. Safe to publish.`,
  },
};
