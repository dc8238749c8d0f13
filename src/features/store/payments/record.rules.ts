import type { ProviderRecord } from '../payment-providers/index.ts'

/** The change that the record of a provider makes to a payment. */
export type RecordChange =
  | { status: 'succeeded'; amount_cents: number }
  | { status: 'failed'; failure: { code: string; message: string } }
  | { status: 'processing' | 'expired' | 'cancelled' }

/** Statuses that no record changes: money is recorded once, and a payment under review is decided by a person. */
const FINAL: readonly string[] = ['succeeded', 'approved', 'rejected', 'pending_review']
const OPEN: readonly string[] = ['pending', 'processing']

/**
 * Returns the change of a payment by the record of its provider, or undefined if there is none. The record is always the
 * newest, so the order of callbacks has no effect. Money counts even for a payment that had ended (decision 156).
 */
export function changeByRecord(status: string, record: ProviderRecord): RecordChange | undefined {
  if (FINAL.includes(status)) return undefined
  if (record.status === 'paid') return { status: 'succeeded', amount_cents: record.amount_cents }
  if (!OPEN.includes(status)) return undefined
  switch (record.status) {
    case 'open':
      return undefined
    case 'processing':
      return status === 'processing' ? undefined : { status: 'processing' }
    case 'failed':
      return { status: 'failed', failure: record.failure }
    case 'expired':
      return { status: 'expired' }
    case 'ended':
      return { status: 'cancelled' }
  }
}
