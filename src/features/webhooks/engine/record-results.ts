import { type Db, inTransaction, type Tx } from '../../../db/database.ts'
import { iso } from '../../../kernel/time.ts'
import { type Health, healthAfter, isTurnedOff } from '../health.rules.ts'
import { moveWaiting } from '../move-waiting.ts'
import { type ManualChange, updateManualResults } from '../queries/manual.ts'
import * as q from '../queries/record.ts'
import { addStats, type StatRow } from '../queries/stats.ts'
import { updateWebhook } from '../queries/webhooks.ts'
import { sumUp, undone } from '../stats.rules.ts'

/** An attempt that is over, or a delivery that has to wait, ready to be recorded. */
export interface Result {
  lane: 'first' | 'retry' | 'manual'
  row: q.ResultRow
  /** True if a request was sent: only then does the result say something about its health. */
  sent: boolean
  /** A sample: that it failed counts for nothing (decision 14). */
  test: boolean
  /** Set for a first attempt: finished with the last recorded result of its event. */
  fanout?: Fanout | undefined
}

/** Represents an event until each of its deliveries has a row of its own. */
export interface Fanout extends q.FinishedEvent {
  /** Deliveries that are not recorded yet. */
  left: number
}

/**
 * Records a batch of results and updates the health of their endpoints. A delivery's id contains
 * its event's number, so it is unique across stores. Results whose row has changed since are
 * ignored; returns how many.
 */
export async function recordResults(db: Db, results: readonly Result[]): Promise<number> {
  const fenced = await inTransaction(db, async (tx) => {
    const endpoints = await lockEndpoints(tx, results)
    const rowsOf = (lane: Result['lane']) =>
      results.filter((item) => item.lane === lane).map(({ row }) => asEndpointIs(row, endpoints))

    const first = await q.insertFirstResults(tx, rowsOf('first'), finishedBy(results))
    const again = await q.updateRetryResults(tx, rowsOf('retry'))
    const manual = await updateManualResults(tx, rowsOf('manual'))
    const written = new Set([...first, ...again, ...manual.map((change) => change.delivery_id)])
    const counted = results.filter(({ row }) => written.has(row.delivery_id))
    const scheduled = counted.filter(({ lane }) => lane !== 'manual')
    await addStats(tx, [
      ...sumUp(scheduled.map(({ row }) => row)),
      ...manual.filter((change) => change.status !== change.before).flatMap(statsOf),
    ])
    await recordHealth(
      tx,
      endpoints,
      counted.filter(countsForHealth).map(({ row }) => row),
    )
    return results.length - written.size
  })
  for (const { fanout } of results) if (fanout) fanout.left--
  return fenced
}

/** Events of which these results are all that was left. */
function finishedBy(results: readonly Result[]): Fanout[] {
  const here = new Map<Fanout, number>()
  for (const { fanout } of results) if (fanout) here.set(fanout, (here.get(fanout) ?? 0) + 1)
  return [...here.keys()].filter((fanout) => fanout.left === here.get(fanout))
}

type Endpoints = ReadonlyMap<number, q.EndpointHealth>

async function lockEndpoints(tx: Tx, results: readonly Result[]): Promise<Endpoints> {
  const locked = await q.lockHealth(tx, reportsOf(results))
  return new Map(locked.map((endpoint) => [endpoint.id, endpoint]))
}

/** Any success counts; a failure counts only if it was scheduled and no sample (decision 14). */
const countsForHealth = ({ sent, test, lane, row }: Result) =>
  sent && (row.status === 'succeeded' || (lane !== 'manual' && !test))

/** A delivery that changed its status by a manual attempt counts once, by its new status. */
const statsOf = (change: ManualChange): StatRow[] => [
  ...sumUp([change]),
  ...(change.before === 'failed' ? [undone({ ...change, at: change.before_at })] : []),
]

/** Retries depend on endpoint state, so only all-success batches may skip the lock. */
function reportsOf(results: readonly Result[]): q.Report[] {
  const reports = new Map<number, q.Report>()
  for (const { row } of results) {
    const { endpoint_id, at } = row
    const well = row.status === 'succeeded' && (reports.get(endpoint_id)?.well ?? true)
    reports.set(endpoint_id, { endpoint_id, well, at })
  }
  return [...reports.values()]
}

/**
 * A pending delivery is parked while its endpoint is off, and cancelled if the endpoint was
 * deleted. A parked one is due again if the endpoint was turned on since.
 */
function asEndpointIs(row: q.ResultRow, endpoints: Endpoints): q.ResultRow {
  if (row.status !== 'pending') return row
  const endpoint = endpoints.get(row.endpoint_id)
  if (!endpoint) return row
  if (endpoint.deleted) return { ...row, status: 'cancelled', wait_ms: null }
  return { ...row, wait_ms: endpoint.enabled ? (row.wait_ms ?? 0) : null }
}

async function recordHealth(tx: Tx, endpoints: Endpoints, sent: readonly q.ResultRow[]) {
  const rowsOf = byEndpoint(sent)
  const changed: q.EndpointHealth[] = []
  for (const endpoint of endpoints.values()) {
    const rows = rowsOf.get(endpoint.id) ?? []
    const last = rows.at(-1)
    if (!last) continue
    const now = Date.parse(last.at)
    const before: Health = {
      failures_in_row: endpoint.failures_in_row,
      last_success_at:
        endpoint.last_success_at === null ? null : Date.parse(endpoint.last_success_at),
    }
    const after = healthAfter(
      before,
      rows.map((row) => row.status === 'succeeded'),
      now,
    )
    const { failures_in_row, last_success_at } = after
    changed.push({
      ...endpoint,
      failures_in_row,
      last_success_at: last_success_at === null ? null : iso(last_success_at),
    })
    if (endpoint.enabled && isTurnedOff(after, now)) await turnOff(tx, endpoint, last.at)
  }
  await q.updateHealth(tx, changed)
}

function byEndpoint(rows: readonly q.ResultRow[]): ReadonlyMap<number, q.ResultRow[]> {
  const groups = new Map<number, q.ResultRow[]>()
  for (const row of rows) {
    const group = groups.get(row.endpoint_id)
    if (group) group.push(row)
    else groups.set(row.endpoint_id, [row])
  }
  return groups
}

async function turnOff(tx: Tx, { store_id, id }: q.EndpointHealth, at: string): Promise<void> {
  const change = { enabled: false, disabled_at: at, disabled_reason: 'failures', updated_at: at }
  await updateWebhook(tx, store_id, id, change)
  await moveWaiting(tx, { store_id, id, state: 'off' }, at)
}
