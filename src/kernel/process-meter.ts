/** The occurrences that a process counts, with the values of their label. */
export const OCCURRENCES = {
  /** An order entered this state. */
  order: [
    'created',
    'partially_paid',
    'manual_review',
    'paid',
    'completed',
    'expired',
    'cancelled',
    'refunded',
  ],
  /** An attempt to send a mail ended. `queued` is a failure after which the mail is sent again. */
  mail: ['sent', 'queued', 'bounced', 'failed', 'kept'],
  /** A program of a customer started a session. */
  session: ['started'],
} as const
export type Occurrences = { [Kind in keyof typeof OCCURRENCES]: (typeof OCCURRENCES)[Kind][number] }

/** Measures the work of a process outside of webhooks. No value names a store, because there may be too many. */
export interface ProcessMeter {
  count<Kind extends keyof Occurrences>(kind: Kind, value: Occurrences[Kind], times?: number): void
  recordJobRun(job: string, run: { ok: boolean; duration_ms: number }): void
  /** Records when a job is due next. It is late from then on, until its next due time is recorded. */
  recordJobDue(job: string, in_ms: number): void
}

/** The meter of processes that measure nothing. */
export const NO_PROCESS_METER: ProcessMeter = {
  count() {},
  recordJobRun() {},
  recordJobDue() {},
}
