import { number } from "#lib/words.ts";
import { Moment } from "../Moment.tsx";
import type { Column } from "./columns.ts";

/** A number of a row; none of them is quiet. */
export const Count = ({ of }: { of: number }) =>
  of === 0 ? <span className="softer">0</span> : number(of);

type Own<Row> = Partial<Pick<Column<Row>, "width" | "priority" | "card" | "spare">>;

const SoftMoment = ({ at }: { at: string }) => (
  <span className="soft">
    <Moment at={at} />
  </span>
);

export const changedColumn = <Row extends { updatedAt: string }>(own: Own<Row>): Column<Row> => ({
  id: "updatedAt",
  label: "Changed",
  sort: "updatedAt",
  width: 120,
  cell: ({ updatedAt }) => <SoftMoment at={updatedAt} />,
  ...own,
});

export const createdColumn = <Row extends { createdAt: string }>(): Column<Row> => ({
  id: "createdAt",
  label: "Created",
  sort: "createdAt",
  width: 140,
  spare: true,
  cell: ({ createdAt }) => <SoftMoment at={createdAt} />,
});

export const codeColumn = <Row extends { code: string }>(own: Own<Row>): Column<Row> => ({
  id: "code",
  label: "Code",
  sort: "code",
  width: 160,
  cell: ({ code }) => <span className="mono soft">{code}</span>,
  ...own,
});
