import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import type { AuditEvent, AuditQuery } from './schema.ts'
import type { TrailEvent, TrailQuery } from './trail-schema.ts'

/** A page and one more, newest first. */
export async function selectEvents(
  db: Db,
  storeId: number,
  query: AuditQuery,
): Promise<AuditEvent[]> {
  let rows = db
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
  if (query.cursor) rows = rows.where('id', '<', query.cursor)
  if (query.record_type) rows = rows.where('record_type', '=', query.record_type)
  if (query.record_id) rows = rows.where('record_id', '=', query.record_id)
  if (query.action) rows = rows.where('action', '=', query.action)
  if (query.created_from) rows = rows.where('created_at', '>=', query.created_from)
  if (query.created_to) rows = rows.where('created_at', '<', query.created_to)
  return (await rows
    .orderBy('id', 'desc')
    .limit(query.limit + 1)
    .execute()) as AuditEvent[]
}

/** A page of the trail and one more, newest first. */
export async function selectTrail(
  db: Db,
  storeId: number,
  query: TrailQuery,
): Promise<TrailEvent[]> {
  const wheres = [sql`store_id = ${storeId}`]
  if (query.cursor) wheres.push(sql`id < ${query.cursor}`)
  if (query.actor_id) wheres.push(sql`actor_id = ${query.actor_id}`)
  if (query.action) wheres.push(sql`action = ${query.action}`)
  if (query.object_id) wheres.push(sql`object_id = ${query.object_id}`)
  const { rows } = await sql<TrailEvent>`
    select id, created_at,
           json_build_object('type', actor_type, 'id', actor_id, 'name', actor_name) as actor,
           ip as address, request_id, action, object, object_id, changes
      from audit_event
     where ${sql.join(wheres, sql` and `)}
     order by id desc
     limit ${query.limit + 1}`.execute(db)
  return rows
}

/** Deletes events older than `days` by the clock of each store: at most so many of each. */
export async function deleteOldEvents(
  db: Db,
  { now, days, limit }: { now: string; days: number; limit: number },
): Promise<number> {
  const { numAffectedRows } = await sql`
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
            limit ${limit}) e)`.execute(db)
  return Number(numAffectedRows ?? 0)
}
