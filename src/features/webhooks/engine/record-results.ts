import { type Db, inTransaction, type Tx } from '../../../db/database.ts'
import { iso } from '../../../kernel/time.ts'
import { type Health, healthAfter, shouldTurnOff } from '../health.rules.ts'
import { movePending } from '../move-pending.ts'
import { type ManualChange, updateManualResults } from '../queries/manual.ts'
import * as q from '../queries/record.ts'
import { addStats, type StatRow } from '../queries/stats.ts'
import { updateWebhook } from '../queries/webhooks.ts'
import { failureReversal, sumStats } from '../stats.rules.ts'

/** The result of an attempt, or the new state of a delivery that was not sent. */
export interface AttemptResult {
  lane: 'first' | 'retry' | 'manual'
  row: q.ResultRow
  /** True if a request was sent: only then does the result count for the endpoint's health. */
  isSent: boolean
  /** True for a sample: its failures do not count for health (decision 14). */
  isTest: boolean
  /** The fan-out of a first attempt. The last recorded result of its event finishes it. */
  fanout?: Fanout | undefined
}

/** Represents an event until each of its deliveries has a row of its own. */
export interface Fanout extends q.EventLease {
  /** The number of deliveries that are not recorded yet. */
  unrecorded: number
}

/**
 * Records a batch of results and updates the health of their endpoints. A delivery's id contains the number
 * of its event, so it is unique across stores. Ignores results whose row has changed since the claim, and
 * returns their number.
 */
export async function recordResults(db: Db, results: readonly AttemptResult[]): Promise<number> {
  const droppedResults = await inTransaction(db, async (tx) => {
    const endpoints = await lockEndpoints(tx, results)
    const rowsOf = (lane: AttemptResult['lane']) =>
      results
        .filter((item) => item.lane === lane)
        .map(({ row }) => withEndpointState(row, endpoints))

    const firstIds = await q.insertFirstResults(tx, rowsOf('first'), finishedFanouts(results))
    const retryIds = await q.updateRetryResults(tx, rowsOf('retry'))
    const manualChanges = await updateManualResults(tx, rowsOf('manual'))
    const recordedIds = new Set([
      ...firstIds,
      ...retryIds,
      ...manualChanges.map((change) => change.delivery_id),
    ])
    const recordedResults = results.filter(({ row }) => recordedIds.has(row.delivery_id))
    const scheduledResults = recordedResults.filter(({ lane }) => lane !== 'manual')
    await addStats(tx, [
      ...sumStats(scheduledResults.map(({ row }) => row)),
      ...manualChanges.filter((change) => change.status !== change.before).flatMap(statsOf),
    ])
    await recordHealth(
      tx,
      endpoints,
      recordedResults.filter(countsForHealth).map(({ row }) => row),
    )
    return results.length - recordedIds.size
  })
  for (const { fanout } of results) if (fanout) fanout.unrecorded--
  return droppedResults
}

/** Events whose last unrecorded deliveries are all among these results. */
function finishedFanouts(results: readonly AttemptResult[]): Fanout[] {
  const counts = new Map<Fanout, number>()
  for (const { fanout } of results) if (fanout) counts.set(fanout, (counts.get(fanout) ?? 0) + 1)
  return [...counts.keys()].filter((fanout) => fanout.unrecorded === counts.get(fanout))
}

type Endpoints = ReadonlyMap<number, q.LockedHealth>

async function lockEndpoints(tx: Tx, results: readonly AttemptResult[]): Promise<Endpoints> {
  const lockedHealth = await q.lockHealth(tx, healthReports(results))
  return new Map(lockedHealth.map((endpoint) => [endpoint.id, endpoint]))
}

/** Every success counts. A failure counts only if it was scheduled and is not a sample (decision 14). */
const countsForHealth = ({ isSent, isTest, lane, row }: AttemptResult) =>
  isSent && (row.status === 'succeeded' || (lane !== 'manual' && !isTest))

/** A delivery that changed its status by a manual attempt counts once, by its new status. */
const statsOf = (change: ManualChange): StatRow[] => [
  ...sumStats([change]),
  ...(change.before === 'failed' ? [failureReversal({ ...change, at: change.before_at })] : []),
]

/** Sums up the results of each endpoint. */
function healthReports(results: readonly AttemptResult[]): q.HealthReport[] {
  const reports = new Map<number, q.HealthReport>()
  for (const { row } of results) {
    const { endpoint_id, at } = row
    const before = reports.get(endpoint_id)?.all_succeeded ?? true
    const all_succeeded = before && row.status === 'succeeded'
    reports.set(endpoint_id, { endpoint_id, all_succeeded, at })
  }
  return [...reports.values()]
}

/**
 * Parks a pending delivery while its endpoint is off, and cancels it if the endpoint was deleted. A parked
 * delivery is due again if the endpoint has been turned on.
 */
function withEndpointState(row: q.ResultRow, endpoints: Endpoints): q.ResultRow {
  if (row.status !== 'pending') return row
  const endpoint = endpoints.get(row.endpoint_id)
  if (!endpoint) return row
  if (endpoint.deleted) return { ...row, status: 'cancelled', wait_ms: null }
  return { ...row, wait_ms: endpoint.enabled ? (row.wait_ms ?? 0) : null }
}

async function recordHealth(tx: Tx, endpoints: Endpoints, rows: readonly q.ResultRow[]) {
  const rowsByEndpoint = groupByEndpoint(rows)
  const updatedHealth: q.LockedHealth[] = []
  for (const endpoint of endpoints.values()) {
    const endpointRows = rowsByEndpoint.get(endpoint.id) ?? []
    const last = endpointRows.at(-1)
    if (!last) continue
    const now = Date.parse(last.at)
    const before: Health = {
      failures_in_row: endpoint.failures_in_row,
      last_success_at:
        endpoint.last_success_at === null ? null : Date.parse(endpoint.last_success_at),
    }
    const after = healthAfter(
      before,
      endpointRows.map((row) => row.status === 'succeeded'),
      now,
    )
    const { failures_in_row, last_success_at } = after
    updatedHealth.push({
      ...endpoint,
      failures_in_row,
      last_success_at: last_success_at === null ? null : iso(last_success_at),
    })
    if (endpoint.enabled && shouldTurnOff(after, now)) await turnOffEndpoint(tx, endpoint, last.at)
  }
  await q.updateHealth(tx, updatedHealth)
}

function groupByEndpoint(rows: readonly q.ResultRow[]): ReadonlyMap<number, q.ResultRow[]> {
  const groups = new Map<number, q.ResultRow[]>()
  for (const row of rows) {
    const group = groups.get(row.endpoint_id)
    if (group) group.push(row)
    else groups.set(row.endpoint_id, [row])
  }
  return groups
}

async function turnOffEndpoint(
  tx: Tx,
  { store_id, id }: q.LockedHealth,
  time: string,
): Promise<void> {
  const change = {
    enabled: false,
    disabled_at: time,
    disabled_reason: 'failures',
    updated_at: time,
  }
  await updateWebhook(tx, store_id, id, change)
  await movePending(tx, { store_id, id, state: 'off' }, time)
}
