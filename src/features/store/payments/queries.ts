import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import { type DuePage, dueRows, nextDue, storeTime, type TimedRows } from '../../../db/due.ts'
import { allRows, execute, firstRow, firstValue } from '../../../db/rows.ts'
import { type Callback, callbackTime } from '../payment-providers/index.ts'
import type { CallbackQuery, PaymentCallback } from './schema.ts'

/** The parts of a callback that tell which payment it is about. */
type CallbackNames = Pick<Callback, 'names_store' | 'payment_id' | 'external_ids'>

/** A callback that has to be applied. */
export interface DueCallback {
  store_id: number
  id: number
  provider: string
  names: CallbackNames
  received_at: string
}

/** Stores a callback, due at once. Returns its id, or undefined if it is repeated. */
export const insertCallback = (
  db: Db,
  storeId: number,
  row: { provider: string; external_id: string; type: string; names: CallbackNames; now: string },
) =>
  firstValue<number>(db)`
    with heard as (${callbackTime(storeId, row.provider, row.now)})
    insert into payment_callback
           (store_id, provider, external_id, type, status, names, received_at, retry_at)
    values (${storeId}, ${row.provider}, ${row.external_id}, ${row.type}, 'received',
            ${JSON.stringify(row.names)}, ${row.now}, ${row.now})
        on conflict (store_id, provider, external_id) do nothing
    returning id`

const COLUMNS = sql`
  c.id, 'payment_callback' as object, c.provider, c.external_id, c.type, c.status, c.order_id, c.payment_id,
  c.attempts, c.error, c.received_at, c.applied_at`

/** Returns up to `limit + 1` callbacks, the newest first; the extra one shows that another page follows. */
export function selectCallbacks(db: Db, storeId: number, query: CallbackQuery) {
  const conditions = [sql`c.store_id = ${storeId}`]
  if (query.cursor) conditions.push(sql`c.id < ${query.cursor}`)
  if (query.provider) conditions.push(sql`c.provider = ${query.provider}`)
  if (query.status) conditions.push(sql`c.status = ${query.status}`)
  if (query.order_id) conditions.push(sql`c.order_id = ${query.order_id}`)
  return allRows<PaymentCallback>(db)`
    select ${COLUMNS} from payment_callback c
     where ${sql.join(conditions, sql` and `)}
     order by c.id desc
     limit ${query.limit + 1}`
}

export const selectCallback = (db: Db, storeId: number, id: number) =>
  firstRow<PaymentCallback>(db)`
    select ${COLUMNS} from payment_callback c where c.store_id = ${storeId} and c.id = ${id}`

/** The wait before a callback is tried again: a minute, and twice as long after each further attempt, up to an hour. */
const WAIT = sql`least(interval '1 minute' * 2 ^ least(c.attempts, 10), interval '1 hour')`

const RETRIED: TimedRows = {
  from: sql`payment_callback c`,
  store_id: sql`c.store_id`,
  due_at: sql`c.retry_at`,
}

/** Returns callbacks that are due by the clocks of their stores, and sets the time of the next attempt. */
export const claimCallbacks = (db: Db, page: DuePage) =>
  allRows<DueCallback>(db)`
    with due as materialized (
      ${dueRows(RETRIED, sql`c.store_id, c.id, c.retry_at`, page)}
    )
    update payment_callback c
       set attempts = c.attempts + 1,
           retry_at = ${storeTime(page.now)} + ${WAIT}
      from due, store
     where c.store_id = due.store_id and c.id = due.id and c.retry_at = due.retry_at and store.id = c.store_id
    returning c.store_id, c.id, c.provider, c.names, c.received_at`

/** Makes one callback due, so that its caller applies it now. Returns undefined if there is none. */
export const claimCallback = (db: Db, storeId: number, id: number, now: string) =>
  firstRow<DueCallback>(db)`
    update payment_callback c
       set status = 'received', attempts = c.attempts + 1, retry_at = ${now}::timestamptz + ${WAIT},
           applied_at = null
     where c.store_id = ${storeId} and c.id = ${id}
    returning c.store_id, c.id, c.provider, c.names, c.received_at`

interface CallbackResult {
  status: PaymentCallback['status']
  order_id?: string
  payment_id?: number
  error?: string
  now: string
}

/** Records the result of an attempt. A callback that stays `received` is tried again. */
export const updateCallback = (
  db: Db,
  { store_id, id }: Pick<DueCallback, 'store_id' | 'id'>,
  { status, order_id, payment_id, error, now }: CallbackResult,
) =>
  execute(db)`
    update payment_callback
       set status = ${status}, error = ${error ?? null},
           order_id = coalesce(${order_id ?? null}, order_id),
           payment_id = coalesce(${payment_id ?? null}, payment_id),
           applied_at = case when ${status} = 'applied' then greatest(received_at, ${now}) end,
           retry_at = case when ${status} = 'received' then retry_at end
     where store_id = ${store_id} and id = ${id}`

/** The time of the next callback that has to be applied, by the machine's clock. */
export const nextCallback = nextDue(RETRIED)

/** Returns the time of the next callback of a store that has to be applied, by its clock. */
export const selectNextCallback = (db: Db, storeId: number) =>
  firstValue<string>(db)`
    select retry_at from payment_callback
     where store_id = ${storeId} and retry_at is not null
     order by retry_at
     limit 1`

/**
 * Returns a store that a provider has taken money for without a callback, although the provider is connected. The
 * provider `test` is a part of this program. `before` is a time of the machine's clock.
 */
export const selectSilentConnection = (db: Db, before: string) =>
  firstRow<{ provider: string; slug: string; hash: string }>(db)`
    select c.provider, s.slug, s.hash
      from payment_provider c
      join store s on s.id = c.store_id and c.provider = any(s.payment_providers)
     where c.provider <> 'test' and c.last_callback_at is null
       and exists (select from payment p
                    where p.store_id = c.store_id and p.provider = c.provider
                      and p.status in ('processing', 'succeeded', 'disputed')
                      and p.created_at < ${before}::timestamptz + s.clock_offset_ms * interval '1 ms')
     order by s.id
     limit 1`

/**
 * Returns the first payment of a store that its provider has as paid and that has brought no money here, and the first one
 * the other way round. `since` is a time by the clock of the store; payments that were started before it are not compared.
 */
export const selectDisagreements = (
  db: Db,
  storeId: number,
  {
    provider,
    external_ids,
    since,
  }: { provider: string; external_ids: readonly string[]; since: string },
) =>
  allRows<{ number: number | null; external_id: string; paid_at_provider: boolean }>(db)`
    select distinct on (d.paid_at_provider) o.number, d.external_id, d.paid_at_provider
      from (select p.order_id, paid.external_id, true as paid_at_provider
              from unnest(${external_ids}::text[]) as paid(external_id)
              left join payment p
                on p.store_id = ${storeId} and p.provider = ${provider} and p.external_id = paid.external_id
             where p.id is null or p.status in ('pending', 'processing', 'expired', 'cancelled')
             union all
            select p.order_id, p.external_id, false
              from payment p
             where p.store_id = ${storeId} and p.provider = ${provider} and p.created_at > ${since}
               and p.status in ('succeeded', 'disputed') and p.saved_method is null and p.amount_cents > 0
               and p.external_id <> all(${external_ids}::text[])) d
      left join "order" o on o.store_id = ${storeId} and o.id = d.order_id
     order by d.paid_at_provider, o.number`

/** Counts orders that are on hold for a dispute although it was decided, and names the oldest. `now` is a machine time. */
export const selectForgottenHolds = (db: Db, now: string, days: number) =>
  firstRow<{ count: number; number: number; slug: string; hash: string }>(db)`
    select count(*) over ()::int as count, o.number, s.slug, s.hash
      from "order" o
      join store s on s.id = o.store_id
     where o.hold ->> 'reason' = 'dispute'
       and (o.hold ->> 'since')::timestamptz
           < ${now}::timestamptz + s.clock_offset_ms * interval '1 ms' - ${days} * interval '1 day'
       and exists (select from payment p
                    where p.store_id = o.store_id and p.order_id = o.id and p.dispute is not null)
       and not exists (select from payment p
                        where p.store_id = o.store_id and p.order_id = o.id
                          and p.dispute ->> 'status' = 'open')
     order by o.hold ->> 'since', o.store_id, o.number
     limit 1`
