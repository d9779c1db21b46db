import { Histogram } from "prom-client";

/** What a process counts since its start, for the metrics. Each starts at 0, so that a rate can be calculated. */
export const openCounts = () => ({
  checks: { allowed: 0, denied: 0 },
  signIns: { succeeded: 0, failed: 0 },
  emails: { sent: 0, failed: 0 },
  incidents: { error: 0, reload: 0 },
});
export type Counts = ReturnType<typeof openCounts>;

/** The metric of each, and the label of its values. */
export const countMetrics = {
  checks: {
    name: "purser_checks_total",
    help: "Answers to apps, by whether the customer may use the feature",
    label: "result",
  },
  signIns: { name: "purser_sign_ins_total", help: "Attempts to sign in", label: "result" },
  emails: { name: "purser_emails_total", help: "Attempts to send an email", label: "result" },
  incidents: {
    name: "purser_page_incidents_total",
    help: "Incidents that pages reported: errors and reloads",
    label: "kind",
  },
} as const satisfies Record<keyof Counts, { name: string; help: string; label: string }>;

export const openJobSeconds = () =>
  new Histogram({
    name: "purser_job_seconds",
    help: "Duration of jobs by queue and result",
    labelNames: ["queue", "result"],
    buckets: [0.01, 0.1, 1, 10, 60, 300, 900],
    registers: [],
  });
