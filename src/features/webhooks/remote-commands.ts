import { setTimeout as pause } from 'node:timers/promises'
import {
  CommandError,
  type CommandOutput,
  type Input,
  RemoteRefusal,
  type RemoteStore,
} from '../../command.ts'
import { iso, SECOND_MS } from '../../kernel/time.ts'
import type { PollAnswer } from './listen/schema.ts'
import type { ListedDelivery, SendResult } from './schema.ts'

// The commands of webhooks through the API of a store on another machine (decision 486).

const PAGE_SIZE = 100
/** A request of a listener waits this long for a delivery. */
const WAIT_S = 5

/** One request of `webhooks listen`: opens, polls or closes a listener. */
export async function listenRemotely(
  store: RemoteStore,
  { step, endpoint, relayed, forward, events }: Input,
  signal: AbortSignal,
): Promise<unknown> {
  const path = `/webhook-listeners/${endpoint}`
  if (step === 'open') {
    const { listener } = await store.call<{ listener: { id: string; secret: string } }>(
      'POST',
      '/webhook-listeners',
      { body: { forward, events } },
    )
    return { endpoint: listener.id, secret: listener.secret }
  }
  if (step === 'next') return pollOnce(store, path, { body: { relayed, wait_s: WAIT_S }, signal })
  if (Array.isArray(relayed) && relayed.length > 0)
    await pollOnce(store, path, { body: { relayed, wait_s: 0 } })
  return store.call('DELETE', path)
}

/** Returns an answer without deliveries if the listener was removed. */
async function pollOnce(
  store: RemoteStore,
  path: string,
  options: { body: unknown; signal?: AbortSignal },
): Promise<PollAnswer> {
  try {
    return await store.call<PollAnswer>('POST', `${path}/poll`, options)
  } catch (error) {
    if (error instanceof RemoteRefusal && error.code === 'NOT_FOUND') return {}
    throw error
  }
}

interface RemoteSelection {
  delivery: number | undefined
  since_ms: number
  samples: boolean
  webhookId: string | undefined
}

/** Resends one delivery, or those whose newest attempt failed within a period, one after the other. */
export async function resendRemotely(
  store: RemoteStore,
  selection: RemoteSelection,
  { emit, signal }: CommandOutput,
): Promise<{ resent: number; failed: number }> {
  const { delivery } = selection
  const ids = delivery === undefined ? await failedIds(store, selection) : [delivery]
  const counts = { resent: 0, failed: 0 }
  for (const [index, id] of ids.entries()) {
    if (signal.aborted)
      throw new CommandError(
        `Stopped after ${index} of ${ids.length} deliveries. Repeat the command.`,
      )
    const outcome = await resendUnlessRunning(store, id, delivery === undefined)
    if (outcome) counts[outcome]++
    emit({ done: index + 1, total: ids.length, failed: counts.failed })
  }
  return counts
}

/** Returns undefined if an attempt of the delivery is running and `mayRun` is true. */
async function resendUnlessRunning(
  store: RemoteStore,
  id: number,
  mayRun: boolean,
): Promise<'resent' | 'failed' | undefined> {
  try {
    const path = `/events/deliveries/${id}/resend`
    const { result } = await store.call<{ result: SendResult }>('POST', path)
    return result.ok ? 'resent' : 'failed'
  } catch (error) {
    const isSkipped =
      mayRun &&
      error instanceof RemoteRefusal &&
      ['DELIVERY_IN_PROGRESS', 'ENDPOINT_DELETED', 'NOT_FOUND'].includes(error.code)
    if (isSkipped) return undefined
    throw error
  }
}

/** Returns the ids of the failed deliveries, oldest first. */
async function failedIds(
  store: RemoteStore,
  { since_ms, samples, webhookId }: RemoteSelection,
): Promise<number[]> {
  const since = iso(Date.now() - since_ms)
  const query = new URLSearchParams({
    status: 'failed,pending',
    limit: String(PAGE_SIZE),
    ...(webhookId !== undefined && { webhook_id: webhookId }),
    ...(!samples && { test: 'false' }),
  })
  const ids = new Set<number>()
  for (let offset = 0; ; offset += PAGE_SIZE) {
    const { deliveries, pagination } = await store.call<{
      deliveries: ListedDelivery[]
      pagination: { has_more: boolean }
    }>('GET', `/events/deliveries?${query}&offset=${offset}`)
    for (const { id, attempts, updated_at, webhook } of deliveries)
      if (attempts > 0 && updated_at >= since && !webhook.deleted) ids.add(id)
    if (!pagination.has_more) return [...ids].sort((first, second) => first - second)
    await pause(SECOND_MS / 10)
  }
}
