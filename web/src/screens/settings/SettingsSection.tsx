import type { ReactNode } from "react";
import { type SettingsSection as Name, settingsSections } from "#lib/labels/settingsSections.ts";
import { FormSection } from "#ui/form/Field.tsx";

type Props = { id: Name; help?: string; children: ReactNode };

/** A section that the search can open. */
export const SettingsSection = ({ id, ...shown }: Props) => (
  <FormSection id={id} title={settingsSections[id].label} {...shown} />
);
