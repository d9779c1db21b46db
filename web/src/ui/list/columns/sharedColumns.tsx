import { number } from "#lib/intl.ts";
import { Moment } from "#ui/Moment.tsx";
import type { Column } from "./columns.ts";

/** A number, with zero de-emphasized. */
export const Count = ({ of }: { of: number }) =>
  of === 0 ? <span className="softer">{number(0)}</span> : number(of);

type Own<Row> = Partial<Pick<Column<Row>, "width" | "priority" | "card" | "spare">>;

const SoftMoment = ({ at }: { at: string }) => (
  <span className="soft">
    <Moment at={at} />
  </span>
);

export const updatedColumn = <Row extends { updatedAt: string }>(
  own: Own<Row>,
): Column<Row, { updatedAt: unknown }> => ({
  id: "updatedAt",
  sort: "updatedAt",
  width: 140,
  cell: ({ updatedAt }) => <SoftMoment at={updatedAt} />,
  ...own,
});

export const createdColumn = <Row extends { createdAt: string }>(): Column<
  Row,
  { createdAt: unknown }
> => ({
  id: "createdAt",
  sort: "createdAt",
  width: 140,
  spare: true,
  cell: ({ createdAt }) => <SoftMoment at={createdAt} />,
});

export const codeColumn = <Row extends { code: string }>(
  own: Own<Row>,
): Column<Row, { code: unknown }> => ({
  id: "code",
  sort: "code",
  width: 160,
  cell: ({ code }) => <span className="mono soft">{code}</span>,
  ...own,
});
