import { sql } from 'kysely'
import { lockRecord } from '../../../db/advisory-locks.ts'
import type { Db, Tx } from '../../../db/database.ts'
import type { ListedWebhook, Webhook, WebhookPatch } from '../schema.ts'
import { deliveryAt, eventNo, placeOf } from './delivery-id.ts'
import { hoursOf } from './stats.ts'

const WEBHOOK = sql`
  w.public_id as id, 'webhook_endpoint' as object, w.url, w.description, w.events, w.enabled,
  w.disabled_at, w.disabled_reason, w.created_at, w.updated_at`

export async function selectWebhook(
  db: Db,
  storeId: number,
  id: string,
): Promise<Webhook | undefined> {
  const { rows } = await sql<Webhook>`
    select ${WEBHOOK}
      from webhook_endpoint w
     where w.store_id = ${storeId} and w.public_id = ${id} and w.deleted_at is null`.execute(db)
  return rows[0]
}

/**
 * The limit up to which pending deliveries are counted: retries of an endpoint, and events of the
 * store.
 */
const PENDING_MAX = 10_000

/** A page of endpoints, newest first, each with the outcomes of its deliveries since `from`. */
export async function selectWebhooks(
  db: Db,
  storeId: number,
  { from, limit, offset }: { from: string; limit: number; offset: number },
) {
  const page = await sql<ListedWebhook>`
    with ended as materialized (
      select endpoint_id, sum(succeeded)::bigint as succeeded, greatest(sum(failed), 0)::bigint as failed,
             sum(duration_ms)::bigint as duration_ms, max(last_at) as last_at
        from (${hoursOf(storeId, from)}) h
       group by endpoint_id
    ), waiting as materialized (
      select endpoint_id, count(*) as pending
        from (select q.endpoint_id
                from webhook_endpoint w
                cross join lateral (
                  select endpoint_id from webhook_retry
                   where endpoint_id = w.id and store_id = w.store_id
                   limit ${PENDING_MAX}) q
               where w.store_id = ${storeId} and w.deleted_at is null
               union all
              select x.endpoint_id
                from (select * from webhook_fanout
                       where store_id = ${storeId}
                       order by no
                       limit ${PENDING_MAX}) f
                cross join lateral unnest(f.endpoint_ids) with ordinality as x(endpoint_id, place)
               where (select true from webhook_delivery d
                       where d.store_id = f.store_id and d.id = ${deliveryAt('f.no', 'x.place')}) is null) p
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
      left join waiting p on p.endpoint_id = w.id
      cross join lateral (
        select coalesce(e.succeeded, 0) as succeeded, coalesce(e.failed, 0) as failed,
               coalesce(e.duration_ms, 0) as duration_ms, e.last_at,
               coalesce(p.pending, 0) as pending) h
     where w.store_id = ${storeId} and w.deleted_at is null
     order by w.created_at desc, w.id desc
     limit ${limit} offset ${offset}`.execute(db)
  return { webhooks: page.rows, total: await countWebhooks(db, storeId) }
}

export async function countWebhooks(db: Db, storeId: number): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total
      from webhook_endpoint
     where store_id = ${storeId} and deleted_at is null`.execute(db)
  return rows[0]?.total ?? 0
}

/** Serializes the creation of a store's endpoints, so that the limit holds. */
export async function lockStoreWebhooks(tx: Tx, storeId: number): Promise<void> {
  await lockRecord(tx, 'store_webhooks', storeId)
}

export interface NewWebhookRow {
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

export interface LockedWebhook {
  id: number
  url: string
  description: string | null
  enabled: boolean
  events: string[]
}

/** The internal id and state of an endpoint, locked for a change. */
export async function lockWebhook(
  tx: Tx,
  storeId: number,
  id: string,
): Promise<LockedWebhook | undefined> {
  return tx
    .selectFrom('webhook_endpoint')
    .select(['id', 'url', 'description', 'enabled', 'events'])
    .where('store_id', '=', storeId)
    .where('public_id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}

export interface WebhookChange extends WebhookPatch {
  failures_in_row?: number
  disabled_at?: string | null
  disabled_reason?: string | null
  deleted_at?: string
  updated_at: string
}

export async function updateWebhook(
  tx: Tx,
  storeId: number,
  id: number,
  { updated_at, ...fields }: WebhookChange,
) {
  await tx
    .updateTable('webhook_endpoint')
    .set((row) => ({
      ...fields,
      updated_at: sql<string>`greatest(${row.ref('updated_at')}, ${updated_at})`,
    }))
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .execute()
}

/** Returns undefined if the endpoint does not exist. */
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

/** Returns undefined if the endpoint does not exist. */
export async function updateStandardHeaders(
  db: Db,
  storeId: number,
  id: string,
  standard_headers: boolean,
): Promise<true | undefined> {
  const { numUpdatedRows } = await db
    .updateTable('webhook_endpoint')
    .set({ standard_headers })
    .where('store_id', '=', storeId)
    .where('public_id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n || undefined
}

/** The sealed secrets of the endpoint that a delivery goes to. */
export async function selectSecrets(
  db: Db,
  storeId: number,
  deliveryId: number,
): Promise<{ public_id: string; secret_enc: Buffer; prev_secret_enc: Buffer | null } | undefined> {
  const { rows } = await sql<{
    public_id: string
    secret_enc: Buffer
    prev_secret_enc: Buffer | null
  }>`
    select w.public_id, w.secret_enc, w.prev_secret_enc
      from webhook_endpoint w
     where w.store_id = ${storeId}
       and w.id = coalesce((select endpoint_id from webhook_delivery
                             where store_id = ${storeId} and id = ${deliveryId}),
                           (select endpoint_ids[${placeOf(deliveryId)}]
                              from webhook_fanout
                             where store_id = ${storeId} and no = ${eventNo(deliveryId)}))`.execute(
    db,
  )
  return rows[0]
}
