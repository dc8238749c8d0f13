import { setTimeout as pause } from 'node:timers/promises'
import type Stripe from 'stripe'
import { unavailable } from '../../../../kernel/errors.ts'
import { never } from '../../../../kernel/never.ts'
import type { StoreContext } from '../../../../store-context.ts'
import { type OpenedCredentials, openCredentials, recordHealth } from '../credentials.ts'
import { providerRefused } from '../provider.ts'
import { problemOf, type StripeProblem } from './errors.rules.ts'
import { stripeHttpClient } from './http-client.ts'

export const STRIPE = 'stripe'
/** The version of the API whose requests and answers the tests check. Without it, each account would have its own. */
const API_VERSION = '2026-08-26.dahlia' as string as NonNullable<Stripe.StripeConfig['apiVersion']>
/** The pauses before a call that Stripe was too busy for is repeated. */
const PAUSES_MS = [300, 1_000] as const
const RETRY_AFTER_S = 5
/** The reason of a failing connection. A text of Stripe may repeat a part of the key. */
export const REFUSED_KEY = 'Stripe refused the secret key, or one of its permissions.'

type Work<T> = (stripe: Stripe) => Promise<T>

/**
 * Calls Stripe with the credentials of the store. Throws a refusal if there is no result (decision 460). The health of
 * the connection is recorded when it changes.
 */
export async function callStripe<T>(context: StoreContext, work: Work<T>): Promise<T> {
  const opened = await openCredentials(context, STRIPE)
  if (!opened) throw unavailable('Stripe is not connected to this store. Connect it again.')
  const result = await askStripe(await clientOf(context, opened), work)
  if ('value' in result) {
    if (opened.isFailing) await recordHealth(context, STRIPE, null)
    return result.value
  }
  if (result.kind === 'unauthorized' && !opened.isFailing)
    await recordHealth(context, STRIPE, REFUSED_KEY)
  throw refusalOf(result)
}

export function refusalOf(problem: StripeProblem) {
  switch (problem.kind) {
    case 'refused':
      return providerRefused(problem.failure)
    case 'unauthorized': {
      const message =
        'Stripe refused the secret key of this store. Connect Stripe with another key.'
      return unavailable(message, RETRY_AFTER_S, problem.cause)
    }
    case 'busy':
    case 'unavailable':
      return unavailable(
        'Stripe does not answer now. Repeat the call.',
        RETRY_AFTER_S,
        problem.cause,
      )
    default:
      return never(problem)
  }
}

/** Calls Stripe. A call that Stripe was too busy for is repeated; all calls have the same effect if repeated. */
export async function askStripe<T>(
  stripe: Stripe,
  work: Work<T>,
): Promise<{ value: T } | StripeProblem> {
  for (let attempt = 0; ; attempt += 1) {
    const result = await outcomeOf(work(stripe))
    const pause_ms = PAUSES_MS[attempt]
    if (!('kind' in result) || result.kind !== 'busy' || pause_ms === undefined) return result
    await pause(pause_ms)
  }
}

async function outcomeOf<T>(work: Promise<T>): Promise<{ value: T } | StripeProblem> {
  try {
    return { value: await work }
  } catch (error) {
    const problem = problemOf(error)
    if (!problem) throw error
    return problem
  }
}

/** The clients of opened credentials. A client has an object for each resource of Stripe, so it takes a while to create. */
const clients = new WeakMap<OpenedCredentials, Promise<Stripe>>()

/** Returns the client of credentials that are stored. */
export function clientOf(context: StoreContext, opened: OpenedCredentials): Promise<Stripe> {
  const client = clients.get(opened) ?? openStripe(context, String(opened.credentials.secret_key))
  clients.set(opened, client)
  return client
}

/** Creates the client of a key. */
export async function openStripe(
  { stripeUrl }: Pick<StoreContext, 'stripeUrl'>,
  secretKey: string,
): Promise<Stripe> {
  // Loaded on first use, because it is large and many stores have no Stripe (decision 451).
  const { default: Client } = await import('stripe')
  const { hostname, port, protocol } = new URL(stripeUrl)
  const isPlain = protocol === 'http:'
  return new Client(secretKey, {
    apiVersion: API_VERSION,
    host: hostname,
    port: port || (isPlain ? '80' : '443'),
    protocol: isPlain ? 'http' : 'https',
    httpClient: stripeHttpClient,
    maxNetworkRetries: 0,
    telemetry: false,
  })
}
