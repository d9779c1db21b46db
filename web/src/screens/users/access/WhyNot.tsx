import { t } from "@lingui/core/macro";
import "./whyNot.css";
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { money } from "#lib/intl.ts";
import { frequencyLabel } from "#lib/money/prices.ts";
import { useMay } from "#lib/session/session.ts";
import { part } from "#ui/page/lazyPart.tsx";
import type { User } from "../queries.ts";
import { offerQuery } from "./queries.ts";

const GrantDialog = part(async () => (await import("./GrantDialog.tsx")).GrantDialog);

type OfferProps = { feature: string; user: User; isShort: boolean };

const Offer = ({ feature, user, isShort }: OfferProps) => {
  const maySell = useMay("transactions:write");
  const { data: offer } = useQuery(offerQuery(user.id, feature));
  if (offer === undefined) return null;
  if (offer === null && isShort) return null;
  if (offer === null)
    return <span className="soft">{t`No other package on sale includes it.`}</span>;
  const { name, id } = offer.package;
  const price = `${money(offer.amount, offer.currency)}, ${frequencyLabel(offer)}`;
  if (!maySell)
    return (
      <span className="soft">
        {t`${name} includes it.`} {price}
      </span>
    );
  return (
    <>
      <Button
        component={Link}
        {...({ to: "/transaction/create", search: { email: user.email, package: id } } as object)}
        variant="default"
        size="xs"
        {...(isShort && { "data-tip": price })}
      >
        {t`Offer ${name}`}
      </Button>
      {!isShort && <span className="soft">{price}</span>}
    </>
  );
};

type Props = {
  feature: { id: string; name: string };
  user: User;
  /** How the button to grant it is labeled, if the customer already has some of it. */
  isMore?: boolean;
  /** Without the price of the package, and nothing instead of a package if there is none. */
  isShort?: boolean;
};

/**
 * What helps a customer who doesn't have a feature: grant it, or sell a package that has it. Others see the name of that
 * package.
 */
export const WhyNot = ({ feature, user, isMore = false, isShort = false }: Props) => {
  const mayGrant = useMay("users:write") && user.status === "active";
  const [isGranting, setGranting] = useState(false);
  return (
    <fieldset className="why-not" aria-label={feature.name}>
      {mayGrant && (
        <Button variant="default" size="xs" onClick={() => setGranting(true)}>
          {isMore ? t`Grant more` : t`Grant access`}
        </Button>
      )}
      {user.status !== "erased" && <Offer feature={feature.id} user={user} isShort={isShort} />}
      <Suspense>
        {isGranting && (
          <GrantDialog user={user} feature={feature.id} onClose={() => setGranting(false)} />
        )}
      </Suspense>
    </fieldset>
  );
};
