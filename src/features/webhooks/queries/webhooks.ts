import { sql } from 'kysely'
import { lockRecord } from '../../../db/advisory-locks.ts'
import { type CreatedPeriod, createdWithin } from '../../../db/created.ts'
import type { Db, Tx } from '../../../db/database.ts'
import { updateRecord } from '../../../db/records.ts'
import { firstRow, onlyRow, onlyValue } from '../../../db/rows.ts'
import type { Page } from '../../../kernel/page.ts'
import type { ListedWebhook, Webhook, WebhookPatch } from '../schema.ts'
import { deliveryAt, eventNoOf, positionOf } from './delivery-id.ts'
import { hoursOf } from './stats.ts'

const WEBHOOK = sql`
  w.public_id as id, 'webhook_endpoint' as object, w.url, w.description, w.events, w.enabled,
  w.disabled_at, w.disabled_reason, w.created_at, w.updated_at`

export const selectWebhook = (db: Db, storeId: number, id: string) =>
  firstRow<Webhook>(db)`
    select ${WEBHOOK}
      from webhook_endpoint w
     where w.store_id = ${storeId} and w.public_id = ${id} and w.deleted_at is null`

/** The limit up to which the retries of an endpoint and the events of the store are counted. */
const PENDING_MAX = 10_000

/** Returns a page of endpoints, newest first, each with the statistics of its deliveries since `from`. */
export async function selectWebhooks(
  db: Db,
  storeId: number,
  { from, limit, offset, ...created }: Page & CreatedPeriod & { from: string },
) {
  const page = await sql<ListedWebhook>`
    with ended as materialized (
      select endpoint_id, sum(succeeded)::bigint as succeeded, greatest(sum(failed), 0)::bigint as failed,
             sum(duration_ms)::bigint as duration_ms, max(last_at) as last_at
        from (${hoursOf(storeId, from)}) h
       group by endpoint_id
    ), pending_delivery as materialized (
      select endpoint_id, count(*) as pending
        from (select retry.endpoint_id
                from webhook_endpoint w
                cross join lateral (
                  select endpoint_id from webhook_retry
                   where endpoint_id = w.id and store_id = w.store_id
                   limit ${PENDING_MAX}) retry
               where w.store_id = ${storeId} and w.deleted_at is null
               union all
              select entry.endpoint_id
                from (select * from webhook_fanout
                       where store_id = ${storeId}
                       order by no
                       limit ${PENDING_MAX}) f
                cross join lateral unnest(f.endpoint_ids) with ordinality as entry(endpoint_id, position)
               where (select true from webhook_delivery d
                       where d.store_id = f.store_id and d.id = ${deliveryAt('f.no', 'entry.position')}) is null) p
       group by endpoint_id
    )
    select ${WEBHOOK},
           json_build_object(
             'total', h.succeeded + h.failed + h.pending, 'succeeded', h.succeeded,
             'failed', h.failed, 'pending', h.pending,
             'success_rate', round(h.succeeded::numeric / nullif(h.succeeded + h.failed, 0), 4),
             'average_duration_ms', h.duration_ms / nullif(h.succeeded + h.failed, 0),
             'last_delivery_at', iso(h.last_at)) as stats
      from webhook_endpoint w
      left join ended e on e.endpoint_id = w.id
      left join pending_delivery p on p.endpoint_id = w.id
      cross join lateral (
        select coalesce(e.succeeded, 0) as succeeded, coalesce(e.failed, 0) as failed,
               coalesce(e.duration_ms, 0) as duration_ms, e.last_at,
               coalesce(p.pending, 0) as pending) h
     where ${listCondition(storeId, created)}
     order by w.created_at desc, w.id desc
     limit ${limit} offset ${offset}`.execute(db)
  return { webhooks: page.rows, total: await countWebhooks(db, storeId, created) }
}

const listCondition = (storeId: number, created: CreatedPeriod) =>
  sql.join(
    [
      sql`w.store_id = ${storeId} and w.deleted_at is null and w.listening_until is null`,
      ...createdWithin('w.created_at', created),
    ],
    sql` and `,
  )

export const countWebhooks = (db: Db, storeId: number, created: CreatedPeriod = {}) =>
  onlyValue<number>(db)`
    select count(*) as total
      from webhook_endpoint w
     where ${listCondition(storeId, created)}`

/** Serializes the creation of a store's endpoints, so that concurrent calls cannot exceed the limit. */
export async function lockStoreWebhooks(tx: Tx, storeId: number): Promise<void> {
  await lockRecord(tx, 'store_webhooks', storeId)
}

interface NewWebhookRow {
  public_id: string
  url: string
  description: string | null
  events: string[]
  enabled: boolean
  secret_enc: Buffer
  disabled_at: string | null
  disabled_reason: string | null
  created_at: string
}

export async function insertWebhook(tx: Tx, storeId: number, row: NewWebhookRow): Promise<void> {
  await tx
    .insertInto('webhook_endpoint')
    .values({ ...row, store_id: storeId, updated_at: row.created_at })
    .execute()
}

interface LockedWebhook {
  id: number
  url: string
  description: string | null
  enabled: boolean
  events: string[]
  standard_headers: boolean
}

/** Locks an endpoint and returns its internal id and state. */
export async function lockWebhook(
  tx: Tx,
  storeId: number,
  id: string,
): Promise<LockedWebhook | undefined> {
  return tx
    .selectFrom('webhook_endpoint')
    .select(['id', 'url', 'description', 'enabled', 'events', 'standard_headers'])
    .where('store_id', '=', storeId)
    .where('public_id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}

interface WebhookChange extends WebhookPatch {
  failures_in_row?: number
  disabled_at?: string | null
  disabled_reason?: string | null
  deleted_at?: string
  updated_at: string
}

export const updateWebhook = (tx: Tx, storeId: number, id: number, columns: WebhookChange) =>
  updateRecord(tx, 'webhook_endpoint', { storeId, id }, columns)

interface SecretsRow {
  secret_enc: Buffer
  prev_secret_enc: Buffer | null
  prev_secret_until: string | null
  /** Null if the secret signs since the endpoint was created. */
  secret_from: string | null
  created_at: string
}

export const selectStoredSecrets = (
  db: Db,
  storeId: number,
  id: string,
): Promise<SecretsRow | undefined> =>
  db
    .selectFrom('webhook_endpoint')
    .select(['secret_enc', 'prev_secret_enc', 'prev_secret_until', 'secret_from', 'created_at'])
    .where('store_id', '=', storeId)
    .where('public_id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

export async function selectStandardHeaders(
  db: Db,
  storeId: number,
  id: string,
): Promise<{ standard_headers: boolean } | undefined> {
  return db
    .selectFrom('webhook_endpoint')
    .select('standard_headers')
    .where('store_id', '=', storeId)
    .where('public_id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

export const updateStandardHeaders = (
  tx: Tx,
  storeId: number,
  id: number,
  standard_headers: boolean,
) => updateRecord(tx, 'webhook_endpoint', { storeId, id }, { standard_headers })

/** Returns the sealed secrets of the endpoint of a delivery. */
export const selectSecretsOfDelivery = (db: Db, storeId: number, deliveryId: number) =>
  firstRow<{
    public_id: string
    secret_enc: Buffer
    prev_secret_enc: Buffer | null
  }>(db)`
    select w.public_id, w.secret_enc, w.prev_secret_enc
      from webhook_endpoint w
     where w.store_id = ${storeId}
       and w.id = coalesce((select endpoint_id from webhook_delivery
                             where store_id = ${storeId} and id = ${deliveryId}),
                           (select endpoint_ids[${positionOf(deliveryId)}]
                              from webhook_fanout
                             where store_id = ${storeId} and no = ${eventNoOf(deliveryId)}))`

export interface ReceiverCounts {
  enabled: number
  /** Those of the enabled ones whose last delivery failed. */
  failing: number
  /** The endpoints that were turned off because of their failures. */
  off: number
}

/** Counts the endpoints of a store by their state. A store has at most 20. */
export const selectReceiverCounts = (db: Db, storeId: number) =>
  onlyRow<ReceiverCounts>(db)`
    select (count(*) filter (where enabled))::int as enabled,
           (count(*) filter (where enabled and failures_in_row > 0))::int as failing,
           (count(*) filter (where not enabled and disabled_reason = 'failures'))::int as off
      from webhook_endpoint
     where store_id = ${storeId} and deleted_at is null and listening_until is null`
