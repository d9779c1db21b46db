import { t } from "@lingui/core/macro";
import { Moment } from "#ui/Moment.tsx";

/** The time of the figures, or that some are missing. */
export const FiguresAge = ({ of }: { of: { asOf: string; isRebuilding: boolean } }) =>
  of.isRebuilding ? (
    t`Figures are being counted again. Some are missing.`
  ) : (
    <span>
      {t`Figures updated`} <Moment at={of.asOf} />
    </span>
  );
