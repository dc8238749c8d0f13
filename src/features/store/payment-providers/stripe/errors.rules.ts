import { truncate } from '../../../../kernel/truncate.ts'
import type { ProviderFailure } from '../provider.ts'

/** The fields of an error of the package `stripe` that are read here. */
interface StripeError {
  type: string
  statusCode?: number
  code?: string
  message: string
  requestId?: string
  detail?: unknown
}

/**
 * The reason for which Stripe gave no result. `unauthorized`: it refuses the key. `busy`: it asks for another attempt.
 * `unavailable`: it is not known whether it has acted. `refused`: the call is wrong, and nothing has happened.
 */
export type StripeProblem =
  | { kind: 'unauthorized' | 'busy' | 'unavailable'; cause: Error }
  | { kind: 'refused'; failure: ProviderFailure }

/** An answer of Stripe that does not have the expected form. */
export class BrokenAnswer extends Error {
  override name = 'BrokenAnswer'
}

/** Returns the problem that an error of a call means; undefined if the error is a bug of ours. */
export function problemOf(error: unknown): StripeProblem | undefined {
  if (error instanceof BrokenAnswer) return { kind: 'unavailable', cause: error }
  if (!isStripeError(error)) return undefined
  const { statusCode = 0, type } = error
  const cause = causeOf(error)
  if (statusCode === 401 || statusCode === 403) return { kind: 'unauthorized', cause }
  if (statusCode === 409 || statusCode === 429) return { kind: 'busy', cause }
  // The first call under this key had other parameters. Its result is unknown, so this one is no answer to it.
  if (type === 'StripeIdempotencyError') return { kind: 'unavailable', cause }
  if (statusCode < 400 || statusCode >= 500) return { kind: 'unavailable', cause }
  const code = error.code ?? 'invalid_request'
  return { kind: 'refused', failure: { code, message: withoutSecrets(error.message) } }
}

const isStripeError = (error: unknown): error is StripeError =>
  error instanceof Error && 'type' in error && String(error.type).startsWith('Stripe')

/** Returns an error for the log. The message of Stripe is not in it, because it may repeat a part of the request. */
function causeOf({ type, statusCode, requestId, detail }: StripeError): Error {
  const parts = [type, statusCode, requestId, detail instanceof Error ? detail.message : undefined]
  return new Error(`Stripe: ${parts.filter(Boolean).join(' ')}`)
}

const SECRET = /\b(?:sk|rk|pk|whsec)_[\w*]+/g
const MESSAGE_MAX = 300

/** Returns a text of Stripe for the seller. */
export const withoutSecrets = (text: string): string =>
  truncate(text.replace(SECRET, '••••'), MESSAGE_MAX)
