import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import { allRows, changedCount } from '../../../db/rows.ts'
import type { AuditEvent, AuditQuery } from './schema.ts'
import type { TrailEvent, TrailQuery } from './trail-schema.ts'

/** Returns up to `limit + 1` events, newest first; the extra one shows that another page follows. */
export async function selectEvents(
  db: Db,
  storeId: number,
  query: AuditQuery,
): Promise<AuditEvent[]> {
  let statement = db
    .selectFrom('audit_event')
    .select([
      'id',
      sql.lit('audit_event').as('object'),
      'action',
      'record_type',
      'record_id',
      'actor_key_id',
      sql<string | null>`case when actor_key_id is not null then ip end`.as('ip'),
      'before_hash',
      'after_hash',
      'created_at',
    ])
    .where('store_id', '=', storeId)
    .where('record_id', 'is not', null)
  if (query.cursor) statement = statement.where('id', '<', query.cursor)
  if (query.record_type) statement = statement.where('record_type', '=', query.record_type)
  if (query.record_id) statement = statement.where('record_id', '=', query.record_id)
  if (query.action) statement = statement.where('action', '=', query.action)
  if (query.created_from) statement = statement.where('created_at', '>=', query.created_from)
  if (query.created_to) statement = statement.where('created_at', '<', query.created_to)
  return (await statement
    .orderBy('id', 'desc')
    .limit(query.limit + 1)
    .execute()) as AuditEvent[]
}

/** Returns up to `limit + 1` events of the trail, newest first. */
export function selectTrail(db: Db, storeId: number, query: TrailQuery) {
  const conditions = [sql`store_id = ${storeId}`]
  if (query.cursor) conditions.push(sql`id < ${query.cursor}`)
  if (query.actor_id) conditions.push(sql`actor_id = ${query.actor_id}`)
  if (query.action) conditions.push(sql`action = ${query.action}`)
  if (query.object_id) conditions.push(sql`object_id = ${query.object_id}`)
  return allRows<TrailEvent>(db)`
    select id, created_at,
           json_build_object('type', actor_type, 'id', actor_id, 'name', actor_name) as actor,
           ip as address, request_id, action, object, object_id, changes
      from audit_event
     where ${sql.join(conditions, sql` and `)}
     order by id desc
     limit ${query.limit + 1}`
}

/** Deletes events older than `days` by the clock of each store, at most `limit` of each store. */
export const deleteOldEvents = (
  db: Db,
  { now, days, limit }: { now: string; days: number; limit: number },
) =>
  changedCount(db)`
    delete from audit_event
     where (store_id, id) in (
       select e.store_id, e.id
         from store s
         cross join lateral (
           select store_id, id from audit_event
            where store_id = s.id
              and created_at < ${now}::timestamptz + s.clock_offset_ms * interval '1 ms'
                                 - ${days} * interval '1 day'
            order by created_at
            limit ${limit}) e)`
