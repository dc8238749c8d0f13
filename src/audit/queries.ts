import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import { execute, send } from '../db/rows.ts'
import { type AuditedAction, type Origin, SYSTEM } from './origin.ts'

interface AuditContext {
  storeId: number
  /** Store time, ISO 8601. */
  now: string
  origin: Origin
}

/**
 * Writes the events in one statement. The object id of a product is its hash, even if the call used the
 * numeric id.
 */
export async function insertAuditEvents(
  tx: Tx,
  { storeId, now, origin }: AuditContext,
  auditedActions: readonly AuditedAction[],
): Promise<void> {
  if (auditedActions.length === 0) return
  const { actor, address, request_id } = origin
  const rows = auditedActions.map(({ record, ...action }) => ({ ...action, ...record }))
  await send(tx)`
    insert into audit_event (store_id, actor_type, actor_id, actor_name, ip, request_id, action, object,
                             object_id, changes, record_type, record_id, before_hash, after_hash,
                             actor_key_id, created_at)
    select ${storeId}, ${actor.type}, ${actor.id}, ${actor.name}, ${address}, ${request_id}, e.action, e.object,
           case when e.object = 'product' and e.object_id ~ '^[0-9]{1,16}$'
                then coalesce((select p.hash_id from product p
                                where p.store_id = ${storeId} and p.id = e.object_id::bigint), e.object_id)
                else e.object_id
           end,
           e.changes, e.record_type, e.record_id, e.before_hash, e.after_hash, e.actor_key_id, ${now}
      from jsonb_array_elements(${JSON.stringify(rows)}::jsonb) with ordinality as a(action, position),
           jsonb_to_record(a.action)
             as e(action text, object text, object_id text, changes jsonb, record_type text,
                  record_id bigint, before_hash text, after_hash text, actor_key_id bigint)
     order by a.position`
}

/** The stores in whose audit trails an event is recorded. */
export type AuditedStores =
  | 'all'
  | { ids: readonly number[] }
  | { account_id: number; livemode: boolean }

function whereStores(stores: AuditedStores): RawBuilder<unknown> {
  if (stores === 'all') return sql`true`
  if ('ids' in stores) return sql`s.id = any(${stores.ids}::bigint[])`
  return sql`s.account_id = ${stores.account_id} and s.livemode = ${stores.livemode}`
}

/**
 * Writes an event into the trail of each store. `now` is machine time and is converted to the time of
 * each store.
 */
export async function insertStoresEvent(
  tx: Tx,
  stores: AuditedStores,
  { origin = SYSTEM, now }: { origin: Origin | undefined; now: string },
  { action, object, object_id, changes }: Omit<AuditedAction, 'record'>,
): Promise<void> {
  const { actor, address, request_id } = origin
  await execute(tx)`
    insert into audit_event (store_id, actor_type, actor_id, actor_name, ip, request_id, action, object,
                             object_id, changes, created_at)
    select s.id, ${actor.type}, ${actor.id}, ${actor.name}, ${address}, ${request_id}, ${action}, ${object},
           ${object_id}, ${JSON.stringify(changes)}::jsonb,
           ${now}::timestamptz + s.clock_offset_ms * interval '1 ms'
      from store s
     where ${whereStores(stores)}
     order by s.id`
}
