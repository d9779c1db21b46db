import { t } from "@lingui/core/macro";
import { Link } from "@tanstack/react-router";
import { number, series } from "#lib/intl.ts";
import { keyScopeNames } from "#lib/labels/apps.ts";
import { Moment } from "#ui/Moment.tsx";
import { Section } from "#ui/page/Page.tsx";
import "#ui/styles/plainTable.css";
import { kindLabels } from "../labels.ts";
import type { Integration } from "./queries.ts";

type Key = Integration["keys"][number];

const isOver = ({ revokedAt, expiresAt }: Key, now: number) =>
  revokedAt !== null || (expiresAt !== null && Date.parse(expiresAt) <= now);

const Row = ({ of, now }: { of: Key; now: number }) => (
  <tr {...(isOver(of, now) && { "data-over": true })}>
    <th scope="row" className="mono">
      {of.name}
    </th>
    <td className="soft">{kindLabels[of.kind].label}</td>
    <td className="soft key-scopes">{series(of.scopes.map((scope) => keyScopeNames[scope]))}</td>
    <td data-align="end">{number(of.checks)}</td>
    <td data-align="end" className="soft">
      {number(of.denied)}
    </td>
    <td className="soft">{of.lastUsedAt ? <Moment at={of.lastUsedAt} /> : t`Never`}</td>
  </tr>
);

/** The keys that made the checks, and what they can do. */
export const KeysInUse = ({ keys, asOf }: Pick<Integration, "keys" | "asOf">) => (
  <Section
    title={t`API keys`}
    note={number(keys.length)}
    actions={
      <Link to="." search={{} as never} className="sentence-link">
        {t`Manage keys`}
      </Link>
    }
  >
    {keys.length === 0 ? (
      <p className="softer">{t`No active API keys.`}</p>
    ) : (
      <div className="scroll-x">
        <table className="plain-table">
          <thead>
            <tr>
              <th scope="col">{t`Name`}</th>
              <th scope="col">{t`Type`}</th>
              <th scope="col">{t`Permissions`}</th>
              <th scope="col" data-align="end">{t`Checks`}</th>
              <th scope="col" data-align="end">{t`Denied`}</th>
              <th scope="col">{t`Last used`}</th>
            </tr>
          </thead>
          <tbody>
            {keys.map((key) => (
              <Row key={key.id} of={key} now={Date.parse(asOf)} />
            ))}
          </tbody>
        </table>
      </div>
    )}
  </Section>
);
