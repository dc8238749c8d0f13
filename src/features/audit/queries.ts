import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import type { AuditEvent, AuditQuery } from './schema.ts'

type Written = Pick<
  AuditEvent,
  'action' | 'record_type' | 'record_id' | 'before_hash' | 'after_hash'
>
type Circumstances = Pick<AuditEvent, 'actor_key_id' | 'ip' | 'created_at'>

export async function insertEvents(
  tx: Tx,
  storeId: number,
  { actor_key_id, ip, created_at }: Circumstances,
  events: readonly Written[],
): Promise<void> {
  if (events.length === 0) return
  const column = <K extends keyof Written>(name: K) => events.map((one) => one[name])
  await sql`
    insert into audit_event (store_id, action, record_type, record_id, actor_key_id, ip, before_hash,
                             after_hash, created_at)
    select ${storeId}, e.action, e.record_type, e.record_id, ${actor_key_id}, ${ip}, e.before_hash,
           e.after_hash, ${created_at}
      from unnest(${column('action')}::text[], ${column('record_type')}::text[],
                  ${column('record_id')}::bigint[], ${column('before_hash')}::text[],
                  ${column('after_hash')}::text[])
             with ordinality as e(action, record_type, record_id, before_hash, after_hash, place)
     order by e.place`.execute(tx)
}

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
      'ip',
      'before_hash',
      'after_hash',
      'created_at',
    ])
    .where('store_id', '=', storeId)
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
