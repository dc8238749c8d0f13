import { type RawBuilder, sql } from 'kysely'
import type { Db, Expression, Tx } from '../../../../db/database.ts'
import { selectNewest } from '../../../../db/newest.ts'
import type { NewWithdrawal, Status, Withdrawal, WithdrawalQuery } from '../schema.ts'
import type { End, Totals } from '../withdrawals.rules.ts'

/**
 * Part of a statement that changes orders: records the changes of their money. `orders` names the
 * changed rows; the table itself still shows them as they were before the statement.
 */
export const recordMoney = (orders: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  insert into wallet_delta (store_id, paid_cents, refunded_cents)
  select o.store_id, o.paid_cents - b.paid_cents, o.refunded_cents - b.refunded_cents
    from ${orders} o
    join "order" b on b.store_id = o.store_id and b.id = o.id
   where (o.paid_cents, o.refunded_cents) <> (b.paid_cents, b.refunded_cents)`

/** A total as far as JSON counts exactly. */
const counted = (total: RawBuilder<unknown>) => sql`least(${total}, ${Number.MAX_SAFE_INTEGER})`

/** The wallet and the changes that are not added to it yet, in one snapshot. */
export async function selectTotals(db: Db, storeId: number): Promise<Totals> {
  const { rows } = await sql<Totals>`
    select ${counted(sql`coalesce(w.paid_cents, 0) + d.paid_cents`)} as paid_cents,
           ${counted(sql`coalesce(w.refunded_cents, 0) + d.refunded_cents`)} as refunded_cents,
           coalesce(w.pending_cents, 0) as pending_cents,
           coalesce(w.withdrawn_cents, 0) as withdrawn_cents
      from (select coalesce(sum(paid_cents), 0)::bigint as paid_cents,
                   coalesce(sum(refunded_cents), 0)::bigint as refunded_cents
              from wallet_delta
             where store_id = ${storeId}) d
      left join wallet w on w.store_id = ${storeId}`.execute(db)
  return rows[0] ?? { paid_cents: 0, refunded_cents: 0, pending_cents: 0, withdrawn_cents: 0 }
}

/**
 * Adds the oldest changes to their wallets, and returns how many. Changes that another transaction is
 * adding are left to it.
 */
export async function foldWallets(db: Db, limit: number): Promise<number> {
  const { rows } = await sql<{ taken: number }>`
    with taken as (
      delete from wallet_delta
       where (store_id, id) in (select store_id, id from wallet_delta
                                 order by store_id, id
                                 limit ${limit}
                                   for update skip locked)
      returning *),
    added as (
      insert into wallet as w (store_id, paid_cents, refunded_cents)
      select store_id, sum(paid_cents), sum(refunded_cents)
        from taken
       group by store_id
       order by store_id
          on conflict (store_id) do update
             set paid_cents = w.paid_cents + excluded.paid_cents,
                 refunded_cents = w.refunded_cents + excluded.refunded_cents)
    select count(*) as taken from taken`.execute(db)
  return rows[0]?.taken ?? 0
}

/**
 * Locks the wallet of a store, adds all its changes, and returns it. A second caller waits here,
 * and then sees the withdrawal of the first one.
 */
export async function lockWallet(tx: Tx, storeId: number): Promise<Totals> {
  const { rows } = await sql<Totals>`
    with taken as (
      delete from wallet_delta where store_id = ${storeId}
      returning store_id, paid_cents, refunded_cents),
    changes as (
      select * from taken union all select ${storeId}::bigint, 0, 0)
    insert into wallet as w (store_id, paid_cents, refunded_cents)
    select store_id, sum(paid_cents), sum(refunded_cents) from changes group by store_id
        on conflict (store_id) do update
           set paid_cents = w.paid_cents + excluded.paid_cents,
               refunded_cents = w.refunded_cents + excluded.refunded_cents
    returning ${counted(sql`w.paid_cents`)} as paid_cents,
              ${counted(sql`w.refunded_cents`)} as refunded_cents, w.pending_cents, w.withdrawn_cents`.execute(
    tx,
  )
  const [totals] = rows
  if (!totals) throw new Error(`The store ${storeId} has no wallet.`)
  return totals
}

/**
 * Sets a locked wallet to what orders and withdrawals add up to, and returns its totals. Changes that
 * are not added yet are committed together with their orders, so one snapshot has both or neither.
 */
export async function recountWallet(tx: Tx, storeId: number): Promise<Totals> {
  const { rows } = await sql<Totals>`
    with o as (
      select coalesce(sum(paid_cents), 0) as paid, coalesce(sum(refunded_cents), 0) as refunded
        from "order" where store_id = ${storeId}),
    d as (
      select coalesce(sum(paid_cents), 0) as paid, coalesce(sum(refunded_cents), 0) as refunded
        from wallet_delta where store_id = ${storeId}),
    t as (
      select coalesce(sum(amount_cents) filter (where status in ('pending', 'processing')), 0) as pending,
             coalesce(sum(amount_cents) filter (where status = 'completed'), 0) as withdrawn
        from withdrawal where store_id = ${storeId})
    update wallet w
       set paid_cents = o.paid - d.paid,
           refunded_cents = o.refunded - d.refunded,
           pending_cents = t.pending,
           withdrawn_cents = t.withdrawn
      from o, d, t
     where w.store_id = ${storeId}
    returning ${counted(sql`w.paid_cents`)} as paid_cents,
              ${counted(sql`w.refunded_cents`)} as refunded_cents, w.pending_cents, w.withdrawn_cents`.execute(
    tx,
  )
  const [totals] = rows
  if (!totals) throw new Error(`The store ${storeId} has no wallet.`)
  return totals
}

const WITHDRAWAL = sql`
  t.id, 'withdrawal' as object, t.amount_cents, t.fee_cents, t.amount_cents - t.fee_cents as net_cents,
  t.currency, t.method, t.address, t.status, t.reference, t.failure_reason, t.created_at, t.completed_at`

/** Inserts a withdrawal, and deducts its amount from the available balance. */
export async function insertWithdrawal(
  tx: Tx,
  storeId: number,
  { amount_cents, fee_cents, method, address }: NewWithdrawal,
  { currency, now }: { currency: string; now: string },
): Promise<Withdrawal> {
  const { rows } = await sql<Withdrawal>`
    with t as (
      insert into withdrawal (store_id, amount_cents, fee_cents, currency, method, address, status, created_at)
      values (${storeId}, ${amount_cents}, ${fee_cents}, ${currency}, ${method}, ${address}, 'pending', ${now})
      returning *),
    taken as (
      update wallet w set pending_cents = w.pending_cents + t.amount_cents
        from t
       where w.store_id = t.store_id)
    select ${WITHDRAWAL} from t`.execute(tx)
  const [withdrawal] = rows
  if (!withdrawal) throw new Error('The withdrawal was not inserted.')
  return withdrawal
}

export async function selectWithdrawal(
  db: Db,
  storeId: number,
  id: number,
): Promise<Withdrawal | undefined> {
  const { rows } = await sql<Withdrawal>`
    select ${WITHDRAWAL} from withdrawal t where t.store_id = ${storeId} and t.id = ${id}`.execute(
    db,
  )
  return rows[0]
}

/** The status of a withdrawal, which no other call can change until this one ends. */
export async function lockWithdrawal(
  tx: Tx,
  storeId: number,
  id: number,
): Promise<Status | undefined> {
  const { rows } = await sql<{ status: Status }>`
    select status from withdrawal where store_id = ${storeId} and id = ${id} for update`.execute(tx)
  return rows[0]?.status
}

export interface Ending {
  status: End
  reference: string | null
  failure_reason: string | null
  now: string
}

/** Ends a withdrawal. Its amount has left the wallet for good, or is available again. */
export async function endWithdrawal(
  tx: Tx,
  storeId: number,
  id: number,
  { status, reference, failure_reason, now }: Ending,
): Promise<Withdrawal> {
  const sent = status === 'completed'
  // A clock that was put back must not end it before it was requested.
  const ended = sql`greatest(created_at, ${now}::timestamptz)`
  const { rows } = await sql<Withdrawal>`
    with t as (
      update withdrawal
         set status = ${status}, reference = ${reference}, failure_reason = ${failure_reason},
             completed_at = case when ${sent}::boolean then ${ended} end,
             returned_at = case when not ${sent}::boolean then ${ended} end
       where store_id = ${storeId} and id = ${id}
      returning *),
    moved as (
      update wallet w
         set pending_cents = w.pending_cents - t.amount_cents,
             withdrawn_cents = w.withdrawn_cents + case when ${sent}::boolean then t.amount_cents else 0 end
        from t
       where w.store_id = t.store_id)
    select ${WITHDRAWAL} from t`.execute(tx)
  const [withdrawal] = rows
  if (!withdrawal) throw new Error(`There is no withdrawal ${id} to end.`)
  return withdrawal
}

/** A page of withdrawals, the newest first, and how many match. */
export const selectWithdrawals = (
  db: Db,
  storeId: number,
  { status, limit, offset }: WithdrawalQuery,
) =>
  selectNewest<Withdrawal>(db, {
    table: 'withdrawal',
    columns: WITHDRAWAL,
    storeId,
    limit,
    offset,
    filters: [status && sql`t.status = any(${status}::text[])`],
  })

/** Changes are added to the wallets at once. */
export const nextFold: Expression = sql`(select to_timestamp(0) from wallet_delta limit 1)`
