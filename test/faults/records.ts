import { expect } from 'vitest'
import { eventId } from '../../src/events/event-id.ts'
import { ask } from '../database.ts'
import type { Running } from '../process/spawn-server.ts'
import type { Received } from './listener.ts'
import { type Scene, until } from './scene.ts'

/** The records of deliveries, read directly from the database. */

export interface Delivery {
  /** The public id of the event. */
  event: string
  /** The path of the receiver. */
  path: string
  status: string
  attempts: number
  /** The numbers of the older attempts in the history. */
  numbers: number[]
  status_code: number | null
  error: string | null
  response_body: string | null
}

const DELIVERIES = `
  select e.no, e.tag, w.url, d.status, d.attempts, d.status_code, d.error, d.response_body,
         array(select a.attempt::int from webhook_attempt a
                where a.store_id = d.store_id and a.delivery_id = d.id order by 1) as numbers
    from webhook_delivery d
    join event e on e.store_id = d.store_id and e.no = d.id >> 5
    join webhook_endpoint w on w.store_id = d.store_id and w.id = d.endpoint_id
   order by d.id`

export async function deliveriesOf({ database }: Scene): Promise<Delivery[]> {
  const rows = (await ask(database.url, DELIVERIES)) as (Delivery & Row)[]
  return rows.map(({ no, tag, url, ...row }) => ({
    ...row,
    event: eventId(Number(no), Number(tag)),
    path: new URL(url).pathname,
  }))
}

interface Row {
  no: string
  tag: string
  url: string
}

/** Each event that is committed, for each endpoint. */
export async function promisedBy({ database, paths }: Scene): Promise<string[]> {
  const events = (await ask(database.url, 'select no, tag from event')) as Row[]
  return events.flatMap(({ no, tag }) =>
    paths.map((path) => `${eventId(Number(no), Number(tag))} ${path}`),
  )
}

interface Waiting {
  /** First attempts and retries that some worker leases. */
  leased: number
  /** Unclaimed deliveries. */
  free: number
}

const WAITING = `
  with place as (
    select f.lease_token <> 0 as leased
      from webhook_fanout f
      cross join lateral unnest(f.endpoint_ids) with ordinality as x(endpoint_id, place)
     where x.endpoint_id <> 0
       and not exists (select from webhook_delivery d
                        where d.store_id = f.store_id and d.id = f.no * 32 + x.place - 1)
     union all
    select lease_token <> 0 from webhook_retry where due_at < 'infinity'
  )
  select count(*) filter (where leased)::int as leased, count(*) filter (where not leased)::int as free
    from place`

export async function waitingIn({ database }: Scene): Promise<Waiting> {
  const [row] = (await ask(database.url, WAITING)) as Waiting[]
  return row ?? { leased: 0, free: 0 }
}

/** When nothing is left but what workers hold that do not move: so much they had in flight. */
export async function inFlightOfTheDead(scene: Scene): Promise<number> {
  let seen = -1
  let since = 0
  await until(async () => {
    const { leased, free } = await waitingIn(scene)
    const received = scene.listener.received.length
    const state = leased * 1_000_000 + received
    if (free > 0 || state !== seen) since = Date.now()
    seen = state
    return Date.now() - since > QUIET_MS
  })
  return (await waitingIn(scene)).leased
}

const QUIET_MS = 700

/** The 30 s for which a dead worker still holds its slots (decision 126), passed in no time. */
export async function passSlots({ database }: Scene, { pid }: Running): Promise<void> {
  await ask(database.url, `delete from webhook_worker where id like '${pid}-%'`)
}

/** The 30 s that a lease lasts, passed in no time. */
export async function passLeases({ database }: Scene): Promise<void> {
  await ask(
    database.url,
    `update webhook_fanout set lease_until = '-infinity' where lease_token <> 0;
     update webhook_retry set due_at = clock_timestamp() where lease_token <> 0`,
  )
}

/** Makes scheduled retries due now. */
export async function passWaits({ database }: Scene): Promise<void> {
  await ask(
    database.url,
    'update webhook_retry set due_at = clock_timestamp() where lease_token = 0',
  )
}

/** Waits until nothing waits any more. */
export async function untilIdle(scene: Scene): Promise<void> {
  await until(async () => {
    const { leased, free } = await waitingIn(scene)
    return leased + free === 0
  })
}

/**
 * Every committed event arrived at every endpoint and ended as succeeded, once; no event arrived
 * without a commit; and no more was sent again than was in flight at a fault.
 */
export async function expectAllEmittedOnce(scene: Scene, { again_max }: { again_max: number }) {
  const { listener } = scene
  const promised = await promisedBy(scene)
  const deliveries = await deliveriesOf(scene)
  const nameOf = ({ event, path }: Pick<Received, 'event' | 'path'>) => `${event} ${path}`

  expect(new Set(listener.received.map(nameOf))).toEqual(new Set(promised))
  expect(deliveries.map(nameOf).sort()).toEqual(promised.sort())
  expect(deliveries.filter(({ status }) => status !== 'succeeded')).toEqual([])
  expect(listener.received.length - promised.length).toBeLessThanOrEqual(again_max)
  expect(listener.faults).toEqual([])
  expectWholeHistories(deliveries)
  expect(await findingsOf(scene)).toEqual([])
}

/** Every attempt but the newest is in the history, under its own number. */
export function expectWholeHistories(deliveries: readonly Delivery[]): void {
  const broken = deliveries.filter(
    ({ attempts, numbers }) =>
      numbers.length !== attempts - 1 || numbers.some((number, at) => number !== at + 1),
  )
  expect(broken).toEqual([])
}

async function findingsOf({ installation }: Scene): Promise<unknown[]> {
  const { stdout, stderr } = await installation.run(['doctor', '--json'])
  expect(stderr).toBe('')
  return JSON.parse(stdout).findings.filter((item: { ok: boolean }) => !item.ok)
}
