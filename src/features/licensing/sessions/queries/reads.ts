import type { Db } from '../../../../db/database.ts'
import { allRows, execute } from '../../../../db/rows.ts'
import type { ReadKind, RecordReader } from '../schema.ts'

/** A record, and the license key that read it. */
interface ReadTarget {
  store_id: number
  kind: ReadKind
  /** The id of the string or the file, or of the app for settings. */
  record_id: number
  /** 0 for sessions without a license key. */
  key_id: number
}

/** The reads of a record by one license key since the last flush. */
export interface ReadCount extends ReadTarget {
  /** The device of the last read. */
  device_id: number | null
  count: number
  /** The time of the last read, by the store's clock. */
  at: string
}

/** Adds reads to the rows of their license keys. */
export const addReads = (db: Db, batch: readonly ReadCount[]) =>
  execute(db)`
    insert into record_read as r (store_id, kind, record_id, key_id, device_id, reads, last_at)
    select store_id, kind, record_id, key_id, device_id, count, at
      from jsonb_to_recordset(${JSON.stringify(batch)})
             as b(store_id bigint, kind text, record_id bigint, key_id bigint, device_id bigint,
                  count bigint, at timestamptz)
     order by store_id, kind, record_id, key_id
        on conflict (store_id, kind, record_id, key_id) do update
       set reads = r.reads + excluded.reads,
           device_id = case when excluded.last_at >= r.last_at then excluded.device_id
                            else r.device_id end,
           last_at = greatest(r.last_at, excluded.last_at)`

/** Returns the license keys that read a record, latest read first. A deleted key has no preview. */
export const selectReaders = (
  db: Db,
  { store_id, kind, record_id }: Omit<ReadTarget, 'key_id'>,
  limit: number,
) =>
  allRows<RecordReader>(db)`
    select nullif(r.key_id, 0) as key_id, k.key_preview, r.device_id, d.name as device_name, r.reads,
           r.last_at as last_read_at
      from record_read r
      left join license_key k on k.store_id = r.store_id and k.id = r.key_id
      left join device d on d.store_id = r.store_id and d.id = r.device_id
     where r.store_id = ${store_id} and r.kind = ${kind} and r.record_id = ${record_id}
     order by r.last_at desc, r.key_id desc
     limit ${limit}`
