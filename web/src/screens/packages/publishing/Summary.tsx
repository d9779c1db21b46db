import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { getPackageActivity } from "@purser/contract/packages/endpoints";
import { isPriceChanged, priceDifferences } from "@purser/contract/packages/priceReview";
import { useQuery } from "@tanstack/react-query";
import { call } from "#lib/api/call.ts";
import { Moment } from "#ui/Moment.tsx";
import type { Impact } from "../matrix/queries.ts";
import type { Package } from "../queries.ts";

type Sold = Pick<Package, "prices" | "trialDays">;

const countChanges = (pack: Package, sold: Sold, { effects }: Impact) =>
  priceDifferences(sold.prices, pack.prices).filter(isPriceChanged).length +
  effects.filter(({ before, after }) => before !== after).length +
  Number(sold.trialDays !== pack.trialDays);

/** The newest change of the draft, if it is among the newest changes of the package. */
const useLastEdit = (pack: Package, draftId: string) => {
  const { data } = useQuery({
    queryKey: ["packages", "edited", pack.id, pack.version],
    queryFn: async () => (await call(getPackageActivity, { params: { id: pack.id } })).items,
    // The former one stays until the next is known.
    placeholderData: (known) => known,
  });
  return data?.find(({ recordId }) => recordId === draftId);
};

type Props = { pack: Package; draftId: string; sold: Sold | null; impact: Impact };

/** How much the draft changes, and who edited it last. */
export const Summary = ({ pack, draftId, sold, impact }: Props) => {
  const edit = useLastEdit(pack, draftId);
  const number = pack.onSale?.number ?? 0;
  const name = edit?.actor.name;
  const changes = sold && countChanges(pack, sold, impact);
  return (
    <>
      {changes === null
        ? t`The first version on sale`
        : plural(changes, {
            one: `# change since version ${number}`,
            other: `# changes since version ${number}`,
          })}
      {edit && name && (
        <span>
          <span className="dot" />
          <Trans>
            edited by {name} <Moment at={edit.at} />
          </Trans>
        </span>
      )}
    </>
  );
};
