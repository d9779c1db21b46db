import { plural, t } from "@lingui/core/macro";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { type CSSProperties, useState } from "react";
import { currentTime } from "#lib/time/currentTime.ts";
import { dayMs } from "#lib/time/dates.ts";
import { formatShort } from "#lib/time/days.ts";
import { DateField } from "#ui/dates/DateInput.tsx";
import { Field, FormSection, Optional } from "#ui/form/Field.tsx";
import { overlappingQuery } from "../queries.ts";
import {
  endOf,
  firstDayOf,
  knownMoment,
  lastDayOf,
  scheduleLabels,
  startOf,
  zone,
} from "../schedule.ts";
import { FrozenField, type PartProps } from "./fields.tsx";
import { barIn, monthsIn, placeIn, type Span, spanOf } from "./timeline.ts";

const shownMax = 6;
/** Closer to an end than this, a month's label would overlap the end's label. */
const roomAt = 9;

const at = (place: number): CSSProperties => ({ left: `${place}%` });

const Axis = ({ span, today }: { span: Span; today: number }) => {
  const months = monthsIn(span, zone);
  const short = (moment: number) => formatShort(zone, new Date(moment), false).date;
  const hasRoom = (place: number) =>
    place > roomAt && place < 100 - roomAt && Math.abs(place - today) > roomAt;
  return (
    <div aria-hidden="true">
      <span className="timeline-label" data-end="from" style={at(0)}>
        {short(span.from)}
      </span>
      {months.map(({ at: moment, label }) => {
        const place = placeIn(span, moment);
        return (
          <i key={moment} className="timeline-month" style={at(place)}>
            {hasRoom(place) && <span className="timeline-label">{label}</span>}
          </i>
        );
      })}
      <span className="timeline-label" data-end="to" style={at(100)}>
        {short(span.to)}
      </span>
    </div>
  );
};

type Bar = {
  id: string;
  label: string;
  startsAt: string | null;
  endsAt: string | null;
  look: "own" | "running" | "planned";
};

const Bars = ({ bars, span }: { bars: Bar[]; span: Span }) => (
  <ol aria-label={t`Promotions in this period`}>
    {bars.map((bar) => {
      const { left, width } = barIn(span, bar);
      return (
        <li key={bar.id}>
          <span
            className="timeline-bar"
            data-look={bar.look}
            style={{ left: `${left}%`, width: `${width}%` }}
          >
            {bar.label}
            <span className="unseen">, {scheduleLabels(bar)}</span>
          </span>
        </li>
      );
    })}
  </ol>
);

/** The promotion's period, and other promotions in that period. */
const Timeline = ({ record, promotion }: PartProps) => {
  const { code, requiresCode } = record.form.values;
  const startsAt = knownMoment(record.form.values.startsAt);
  const endsAt = knownMoment(record.form.values.endsAt);
  const [now] = useState(() => Math.floor(+currentTime() / dayMs) * dayMs + dayMs / 2);
  const span = spanOf({ startsAt, endsAt }, now);
  const [asked] = useDebouncedValue(span, 300, { leading: true });
  const { data: others = [] } = useQuery(
    overlappingQuery({
      from: new Date(asked.from).toISOString(),
      to: new Date(asked.to).toISOString(),
      ...(promotion && { except: promotion.id }),
    }),
  );
  const own: Bar = {
    id: "own",
    label: (requiresCode && code) || t`This promotion`,
    startsAt,
    endsAt,
    look: "own",
  };
  const more = others.length - shownMax;
  const today = placeIn(span, now);
  return (
    <figure className="timeline">
      <Axis span={span} today={today} />
      <Bars
        span={span}
        bars={[
          own,
          ...others.slice(0, shownMax).map(
            ({ status, name, ...one }): Bar => ({
              ...one,
              label: one.code ?? name,
              look: status === "scheduled" ? "planned" : "running",
            }),
          ),
        ]}
      />
      <i className="timeline-today" style={at(today)}>
        <span className="timeline-label">{t`Today`}</span>
      </i>
      {more > 0 && (
        <figcaption className="softer">
          {plural(more, { one: "# more in this period", other: "# more in this period" })}
        </figcaption>
      )}
    </figure>
  );
};

type DayProps = PartProps & { name: "startsAt" | "endsAt" };

const Day = ({ record, words, name }: DayProps) => {
  const { form } = record;
  const value = form.values[name];
  return (
    <Field record={record} words={words} name={name}>
      <DateField
        zone={zone}
        label={<Optional>{words[name].label}</Optional>}
        data-path={name}
        max="9999-12-30"
        value={name === "startsAt" ? firstDayOf(value) : lastDayOf(value)}
        error={form.errors[name]}
        onChange={(day) => {
          // Text that can't be read is kept, and refused when saving.
          const at = name === "startsAt" ? startOf(day) : endOf(day);
          form.setFieldValue(name, at ?? (day || null));
          form.clearFieldError(name);
        }}
        onBlur={() => void form.validateField(name)}
      />
    </Field>
  );
};

/** The start and end date. */
export const Schedule = (props: PartProps) => (
  <FormSection title={t`Schedule`} help={t`Days start at 00:00 in ${zone}.`}>
    <div className="form-pair">
      {props.promotion?.isLocked ? (
        <FrozenField {...props} name="startsAt" />
      ) : (
        <Day {...props} name="startsAt" />
      )}
      <Day {...props} name="endsAt" />
    </div>
    <Timeline {...props} />
  </FormSection>
);
