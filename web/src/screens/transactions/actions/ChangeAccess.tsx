import { t } from "@lingui/core/macro";
import { useState } from "react";
import { messageText } from "#lib/serverMessages.ts";
import { Icon } from "#ui/Icon.tsx";
import type { ChangePlan } from "../queries.ts";

const shownFirst = 6;

type Access = ChangePlan["access"];
type Feature = Access["lost"][number];

/** Lost access first, so that it isn't overlooked. */
const compared = ({ lost, changed, gained }: Access) => [
  ...lost.map((feature) => ({ feature, isLost: true })),
  ...[...changed, ...gained].map((feature) => ({ feature, isLost: false })),
];

const Row = ({
  feature: { app, feature, before, after },
  isLost,
}: {
  feature: Feature;
  isLost: boolean;
}) => (
  <tr {...(isLost && { "data-tone": "bad" })}>
    <th scope="row">
      <span>
        {isLost && <Icon name="minus" size={14} />}
        <span>
          {feature}
          <small>{app}</small>
        </span>
      </span>
    </th>
    <td>
      <del>{before ?? t`Not included`}</del> <Icon name="arrow-right" size={12} />{" "}
      <b>{after ?? t`Not included`}</b>
    </td>
  </tr>
);

const countText = ({ gained, lost, changed }: Access) => {
  const [more, less, other] = [gained.length, lost.length, changed.length];
  return t`${more} gained, ${less} lost, ${other} changed`;
};

/** The customer's access before and after the change. */
export const ChangeAccess = ({ access }: { access: Access }) => {
  const [isAll, setAll] = useState(false);
  const rows = compared(access);
  const first = Math.max(shownFirst, access.lost.length);
  const shown = isAll ? rows : rows.slice(0, first);
  return (
    <section>
      <h3>
        {t`Access`} <small>{countText(access)}</small>
      </h3>
      {rows.length === 0 && <p className="soft">{t`Nothing changes for the customer.`}</p>}
      <table className="access-changes">
        <tbody>
          {shown.map((row) => (
            <Row key={`${row.feature.app} ${row.feature.feature}`} {...row} />
          ))}
        </tbody>
      </table>
      {rows.length > shown.length && (
        <button type="button" className="quiet-link" onClick={() => setAll(true)}>
          {t`View all features`}
        </button>
      )}
    </section>
  );
};

/** The promotions of the subscription, and whether they continue. */
export const ChangePromotions = ({ promotions }: Pick<ChangePlan, "promotions">) =>
  promotions.length > 0 && (
    <section>
      <h3>{t`Promotions`}</h3>
      <ul className="effects">
        {promotions.map(({ name, continues, message }) => (
          <li key={name}>
            <Icon name={continues ? "circle-check" : "tag-off"} />
            <span>{messageText(message)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
