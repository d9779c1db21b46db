import { plural, t } from "@lingui/core/macro";
import type { Field } from "@purser/contract/http/list";

type Operator = {
  /** Its name in the filter editor. */
  label: string;
  /** The whole filter. `raw` is the value in the URL. */
  sentence: (field: string, value: string, raw: string) => string;
};

const is: Operator = {
  label: t({ context: "filter", message: "is" }),
  sentence: (field, value) => t({ context: "filter", message: `${field} is ${value}` }),
};
const isNot: Operator = {
  label: t({ context: "filter", message: "is not" }),
  sentence: (field, value) => t({ context: "filter", message: `${field} is not ${value}` }),
};
const between: Operator = {
  label: t({ context: "filter", message: "between" }),
  sentence: (field, value) => t({ context: "filter", message: `${field} between ${value}` }),
};

export const periods = {
  day: {
    label: t`Day`,
    sentence: (field: string) => t`${field} today`,
    previous: (field: string) => t`${field} yesterday`,
  },
  week: {
    label: t`Week`,
    sentence: (field: string) => t`${field} this week`,
    previous: (field: string) => t`${field} last week`,
  },
  month: {
    label: t`Month`,
    sentence: (field: string) => t`${field} this month`,
    previous: (field: string) => t`${field} last month`,
  },
  quarter: {
    label: t`Quarter`,
    sentence: (field: string) => t`${field} this quarter`,
    previous: (field: string) => t`${field} last quarter`,
  },
  year: {
    label: t`Year`,
    sentence: (field: string) => t`${field} this year`,
    previous: (field: string) => t`${field} last year`,
  },
};
const isPeriod = (raw: string): raw is keyof typeof periods => Object.hasOwn(periods, raw);

const operators: Record<Field["kind"], Record<string, Operator>> = {
  text: {
    contains: {
      label: t({ context: "filter", message: "contains" }),
      sentence: (field, value) => t({ context: "filter", message: `${field} contains ${value}` }),
    },
    is,
    not: isNot,
    starts: {
      label: t({ context: "filter", message: "starts with" }),
      sentence: (field, value) =>
        t({ context: "filter", message: `${field} starts with ${value}` }),
    },
    empty: {
      label: t({ context: "filter", message: "is empty" }),
      sentence: (field) => t({ context: "filter", message: `${field} is empty` }),
    },
  },
  number: {
    eq: is,
    ne: isNot,
    lt: {
      label: t({ context: "filter", message: "less than" }),
      sentence: (field, value) => t({ context: "filter", message: `${field} less than ${value}` }),
    },
    lte: {
      label: t({ context: "filter", message: "at most" }),
      sentence: (field, value) => t({ context: "filter", message: `${field} at most ${value}` }),
    },
    gt: {
      label: t({ context: "filter", message: "more than" }),
      sentence: (field, value) => t({ context: "filter", message: `${field} more than ${value}` }),
    },
    gte: {
      label: t({ context: "filter", message: "at least" }),
      sentence: (field, value) => t({ context: "filter", message: `${field} at least ${value}` }),
    },
    between,
  },
  instant: {
    on: {
      label: t({ context: "filter", message: "on" }),
      sentence: (field, value) => t({ context: "filter", message: `${field} on ${value}` }),
    },
    before: {
      label: t({ context: "filter", message: "before" }),
      sentence: (field, value) => t({ context: "filter", message: `${field} before ${value}` }),
    },
    after: {
      label: t({ context: "filter", message: "after" }),
      sentence: (field, value) => t({ context: "filter", message: `${field} after ${value}` }),
    },
    between,
    last: {
      label: t({ context: "filter", message: "in the last" }),
      sentence: (field, value, raw) =>
        plural(Number(raw), {
          one: `${field} in the last ${value} day`,
          other: `${field} in the last ${value} days`,
        }),
    },
    this: {
      label: t({ context: "filter", message: "in the current" }),
      sentence: (field, value, raw) =>
        isPeriod(raw) ? periods[raw].sentence(field) : `${field} ${value}`,
    },
    previous: {
      label: t({ context: "filter", message: "in the previous" }),
      sentence: (field, value, raw) =>
        isPeriod(raw) ? periods[raw].previous(field) : `${field} ${value}`,
    },
  },
  choice: { any: is, none: isNot },
  set: {
    any: {
      label: t({ context: "filter", message: "includes" }),
      sentence: (field, value) => t({ context: "filter", message: `${field} includes ${value}` }),
    },
    none: {
      label: t({ context: "filter", message: "doesn't include" }),
      sentence: (field, value) =>
        t({ context: "filter", message: `${field} doesn't include ${value}` }),
    },
  },
  relation: { any: is, none: isNot },
  boolean: { is },
};

export const operatorsOf = (kind: Field["kind"]) => operators[kind];
