/** The statuses that do not make a sentence with "is". */
const STATE_TEXTS: Readonly<Record<string, string>> = {
  partially_paid: 'is partially paid',
  manual_review: 'is under review',
  expired: 'has expired',
  processing: 'is being processed',
  succeeded: 'is paid',
  failed: 'has failed',
  pending_review: 'waits for a review',
}

/** Returns the status of an order or a payment as the end of a sentence, such as `has expired`. */
export const stateText = (status: string): string => STATE_TEXTS[status] ?? `is ${status}`
