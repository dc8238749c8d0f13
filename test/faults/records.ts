import { expect } from 'vitest'
import { eventId } from '../../src/events/event-id.ts'
import { stopwatch } from '../clock.ts'
import { ask } from '../database.ts'
import type { Running } from '../process/spawn-server.ts'
import { until } from '../until.ts'
import type { Received } from './receiver.ts'
import type { Setup } from './setup.ts'

/** A delivery, as read directly from the database. */
export interface Delivery {
  eventId: string
  /** The path of the receiver. */
  path: string
  status: string
  attempts: number
  /** The numbers of all attempts in the history, which does not contain the newest one. */
  earlierAttempts: number[]
  status_code: number | null
  error: string | null
  response_body: string | null
}

const DELIVERIES = `
  select e.no, e.tag, w.url, d.status, d.attempts, d.status_code, d.error, d.response_body,
         array(select a.attempt::int from webhook_attempt a
                where a.store_id = d.store_id and a.delivery_id = d.id order by 1) as "earlierAttempts"
    from webhook_delivery d
    join event e on e.store_id = d.store_id and e.no = d.id >> 5
    join webhook_endpoint w on w.store_id = d.store_id and w.id = d.endpoint_id
   order by d.id`

export async function deliveriesOf({ database }: Setup): Promise<Delivery[]> {
  const rows = (await ask(database.url, DELIVERIES)) as (Delivery & Row)[]
  return rows.map(({ no, tag, url, ...row }) => ({
    ...row,
    eventId: eventId(Number(no), Number(tag)),
    path: new URL(url).pathname,
  }))
}

interface Row {
  no: string
  tag: string
  url: string
}

/** Returns the committed events as `<event id> <path>`, for the path of each endpoint. */
async function selectCommitted({ database, paths }: Setup): Promise<string[]> {
  const events = (await ask(database.url, 'select no, tag from event')) as Row[]
  return events.flatMap(({ no, tag }) =>
    paths.map((path) => `${eventId(Number(no), Number(tag))} ${path}`),
  )
}

interface PendingCounts {
  /** First attempts and retries with a lease. */
  leased: number
  /** First attempts and retries without a lease. */
  unleased: number
}

const PENDING_COUNTS = `
  with pending as (
    select f.lease_token <> 0 as is_leased
      from webhook_fanout f
      cross join lateral unnest(f.endpoint_ids) with ordinality as e(endpoint_id, position)
     where e.endpoint_id <> 0
       and not exists (select from webhook_delivery d
                        where d.store_id = f.store_id and d.id = f.no * 32 + e.position - 1)
     union all
    select lease_token <> 0 from webhook_retry where due_at < 'infinity'
  )
  select count(*) filter (where is_leased)::int as leased,
         count(*) filter (where not is_leased)::int as unleased
    from pending`

export async function countPending({ database }: Setup): Promise<PendingCounts> {
  const [row] = (await ask(database.url, PENDING_COUNTS)) as PendingCounts[]
  return row ?? { leased: 0, unleased: 0 }
}

/** The time without a change, after which only suspended or killed workers can have leases. */
const QUIET_MS = 700

/** Waits until only suspended or killed workers have leases, and returns the number of their deliveries. */
export async function countInFlightOfSuspended(setup: Setup): Promise<number> {
  let lastState = ''
  let unchanged_ms = stopwatch()
  await until(async () => {
    const { leased, unleased } = await countPending(setup)
    const state = `${leased} leased, ${setup.receiver.received.length} received`
    if (unleased > 0 || state !== lastState) unchanged_ms = stopwatch()
    lastState = state
    return unchanged_ms() > QUIET_MS
  })
  return (await countPending(setup)).leased
}

/** Releases the slots of a killed worker, which it would occupy for 30 s (decision 126). */
export async function expireSlots({ database }: Setup, { pid }: Running): Promise<void> {
  await ask(database.url, `delete from webhook_worker where id like '${pid}-%'`)
}

/** Ends all leases, which would last 30 s. */
export async function expireLeases({ database }: Setup): Promise<void> {
  await ask(
    database.url,
    `update webhook_fanout set lease_until = '-infinity' where lease_token <> 0;
     update webhook_retry set due_at = clock_timestamp() where lease_token <> 0`,
  )
}

/** Makes scheduled retries due now. */
export async function makeRetriesDue({ database }: Setup): Promise<void> {
  await ask(
    database.url,
    'update webhook_retry set due_at = clock_timestamp() where lease_token = 0',
  )
}

/** Waits until no delivery is pending. */
export async function untilIdle(setup: Setup): Promise<void> {
  await until(async () => {
    const { leased, unleased } = await countPending(setup)
    return leased + unleased === 0
  })
}

/**
 * Expects that every committed event has arrived at every endpoint and its delivery has succeeded, that no other event
 * has arrived, and that at most `resent_max` requests were repeats.
 */
export async function expectAllEmittedOnce(setup: Setup, { resent_max }: { resent_max: number }) {
  const { receiver } = setup
  const committed = await selectCommitted(setup)
  const deliveries = await deliveriesOf(setup)
  const nameOf = (item: Pick<Received, 'eventId' | 'path'>) => `${item.eventId} ${item.path}`

  expect(new Set(receiver.received.map(nameOf))).toEqual(new Set(committed))
  expect(deliveries.map(nameOf).sort()).toEqual(committed.sort())
  expect(deliveries.filter(({ status }) => status !== 'succeeded')).toEqual([])
  expect(receiver.received.length - committed.length).toBeLessThanOrEqual(resent_max)
  expect(receiver.faults).toEqual([])
  expectCompleteHistories(deliveries)
  expect(await findingsOf(setup)).toEqual([])
}

/** Expects that every attempt except the newest is in the history, with its number. */
export function expectCompleteHistories(deliveries: readonly Delivery[]): void {
  for (const { attempts, earlierAttempts } of deliveries) {
    expect(earlierAttempts).toEqual(Array.from({ length: attempts - 1 }, (_, n) => n + 1))
  }
}

async function findingsOf({ installation }: Setup): Promise<unknown[]> {
  const { stdout, stderr } = await installation.run(['doctor', '--json'])
  expect(stderr).toBe('')
  return JSON.parse(stdout).findings.filter((item: { ok: boolean }) => !item.ok)
}
