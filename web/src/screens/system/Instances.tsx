import { t } from "@lingui/core/macro";
import { number, percent } from "#lib/intl.ts";
import { Moment } from "#ui/Moment.tsx";
import { sizeText } from "#ui/page/downloads.ts";
import { Status } from "#ui/Status.tsx";
import { instanceStatus, roleLabels } from "./labels.ts";
import type { Instance } from "./queries.ts";

type Props = { instances: Instance[]; newest: string };

export const Instances = ({ instances, newest }: Props) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable with the keyboard.
  <section className="scroll-x" aria-label={t`Instances`} tabIndex={0}>
    <table className="plain-table system-instances">
      <thead>
        <tr>
          <th scope="col">{t`Name`}</th>
          <th scope="col">{t`Version`}</th>
          <th scope="col">{t`Started`}</th>
          <th scope="col" data-align="end">{t`Requests / s`}</th>
          <th scope="col" data-align="end">{t`CPU`}</th>
          <th scope="col" data-align="end">{t`Memory`}</th>
          <th scope="col">{t`Status`}</th>
        </tr>
      </thead>
      <tbody>
        {instances.map((instance) => (
          <tr key={instance.id}>
            <th scope="row" className="system-name">
              <span>{instance.name}</span>
              <small>{roleLabels[instance.role]}</small>
            </th>
            <td data-label={t`Version`}>{instance.version}</td>
            <td className="soft" data-label={t`Started`}>
              <Moment at={instance.startedAt} />
            </td>
            <td data-align="end" data-label={t`Requests / s`}>
              {instance.role === "worker" ? "" : number(instance.requestsPerSecond)}
            </td>
            <td data-align="end" data-label={t`CPU`}>
              {percent(instance.cpuPercent / 100)}
            </td>
            <td data-align="end" data-label={t`Memory`}>
              {sizeText(instance.memoryBytes)}
            </td>
            <td data-label={t`Status`}>
              <Status status={instanceStatus(instance, newest)} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);
