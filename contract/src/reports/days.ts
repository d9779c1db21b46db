export const dayMs = 86_400_000;

/** Days are ISO dates without a time, so they are the same in every time zone. */
export const timeOf = (day: string) => Date.parse(`${day}T00:00:00Z`);
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);

export const addDays = (day: string, days: number) => dayOf(timeOf(day) + days * dayMs);

/** The same day of another month, or its last one if the month is shorter. */
export const addMonths = (day: string, months: number) => {
  const date = new Date(timeOf(day));
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months];
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return dayOf(Date.UTC(year, month, Math.min(date.getUTCDate(), last)));
};

export const firstOfMonth = (day: string) => `${day.slice(0, 7)}-01`;
