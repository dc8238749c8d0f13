import { type RawBuilder, sql } from 'kysely'
import type { Db, Expression, Tx } from '../../../../db/database.ts'
import { selectNewest } from '../../../../db/newest.ts'
import { firstRow, firstValue, onlyRow, onlyValue } from '../../../../db/rows.ts'
import type { NewWithdrawal, Withdrawal, WithdrawalQuery, WithdrawalStatus } from '../schema.ts'
import type { EndStatus, WalletTotals } from '../withdrawals.rules.ts'

/**
 * An SQL fragment for statements that change orders, which inserts the changes of their payments and refunds.
 * `orders` is the CTE with the changed rows; the table itself has the rows as before the statement.
 */
export const orderWalletDeltas = (orders: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  insert into wallet_delta (store_id, paid_cents, refunded_cents)
  select o.store_id, o.paid_cents - before.paid_cents, o.refunded_cents - before.refunded_cents
    from ${orders} o
    join "order" before on before.store_id = o.store_id and before.id = o.id
   where (o.paid_cents, o.refunded_cents) <> (before.paid_cents, before.refunded_cents)`

/** An SQL fragment that inserts the payments of new orders that are paid at once. `orders` is the CTE with the new rows. */
export const paidOrderWalletDeltas = (orders: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  insert into wallet_delta (store_id, paid_cents, refunded_cents)
  select o.store_id, o.paid_cents, 0 from ${orders} o where o.paid_cents > 0`

/** The available amount is computed here, because the others are cut when they are read (decision 175). */
const TOTALS = sql`
  w.paid_cents, w.refunded_cents, w.pending_cents, w.withdrawn_cents,
  w.paid_cents - w.refunded_cents - w.pending_cents - w.withdrawn_cents as available_cents`

/** Returns the totals of a wallet, including deltas that are not folded yet, from one snapshot. */
export const selectTotals = (db: Db, storeId: number) =>
  onlyRow<WalletTotals>(db)`
    select ${TOTALS}
      from (select coalesce(sum(paid_cents), 0)::bigint as paid_cents,
                   coalesce(sum(refunded_cents), 0)::bigint as refunded_cents,
                   coalesce(sum(pending_cents), 0)::bigint as pending_cents,
                   coalesce(sum(withdrawn_cents), 0)::bigint as withdrawn_cents
              from (select paid_cents, refunded_cents, 0 as pending_cents, 0 as withdrawn_cents
                      from wallet_delta
                     where store_id = ${storeId}
                     union all
                    select paid_cents, refunded_cents, pending_cents, withdrawn_cents
                      from wallet
                     where store_id = ${storeId}) part) w`

/**
 * Adds the oldest deltas to their wallets, and returns their number. Deltas that another transaction has
 * locked are skipped.
 */
export const foldWallets = (db: Db, limit: number) =>
  onlyValue<number>(db)`
    with folded as (
      delete from wallet_delta
       where (store_id, id) in (select store_id, id from wallet_delta
                                 order by store_id, id
                                 limit ${limit}
                                   for update skip locked)
      returning *),
    added as (
      insert into wallet as w (store_id, paid_cents, refunded_cents)
      select store_id, sum(paid_cents), sum(refunded_cents)
        from folded
       group by store_id
       order by store_id
          on conflict (store_id) do update
             set paid_cents = w.paid_cents + excluded.paid_cents,
                 refunded_cents = w.refunded_cents + excluded.refunded_cents)
    select count(*) as folded from folded`

/**
 * Locks the wallet of a store, adds all its deltas, and returns its totals. A second caller waits for the
 * lock, so its totals include the withdrawal of the first caller.
 */
export const lockWallet = (tx: Tx, storeId: number) =>
  onlyRow<WalletTotals>(tx)`
    with folded as (
      delete from wallet_delta where store_id = ${storeId}
      returning store_id, paid_cents, refunded_cents),
    changes as (
      select * from folded union all select ${storeId}::bigint, 0, 0)
    insert into wallet as w (store_id, paid_cents, refunded_cents)
    select store_id, sum(paid_cents), sum(refunded_cents) from changes group by store_id
        on conflict (store_id) do update
           set paid_cents = w.paid_cents + excluded.paid_cents,
               refunded_cents = w.refunded_cents + excluded.refunded_cents
    returning ${TOTALS}`

/**
 * Recomputes a locked wallet from orders and withdrawals, and returns its totals. A delta is committed together
 * with its order, so a snapshot has both or neither.
 */
export const recountWallet = (tx: Tx, storeId: number) =>
  onlyRow<WalletTotals>(tx)`
    with orders as (
      select coalesce(sum(paid_cents), 0) as paid, coalesce(sum(refunded_cents), 0) as refunded
        from "order" where store_id = ${storeId}),
    deltas as (
      select coalesce(sum(paid_cents), 0) as paid, coalesce(sum(refunded_cents), 0) as refunded
        from wallet_delta where store_id = ${storeId}),
    withdrawals as (
      select coalesce(sum(amount_cents) filter (where status in ('pending', 'processing')), 0) as pending,
             coalesce(sum(amount_cents) filter (where status = 'completed'), 0) as withdrawn
        from withdrawal where store_id = ${storeId})
    update wallet w
       set paid_cents = orders.paid - deltas.paid,
           refunded_cents = orders.refunded - deltas.refunded,
           pending_cents = withdrawals.pending,
           withdrawn_cents = withdrawals.withdrawn
      from orders, deltas, withdrawals
     where w.store_id = ${storeId}
    returning ${TOTALS}`

const WITHDRAWAL = sql`
  t.id, 'withdrawal' as object, t.amount_cents, t.fee_cents, t.amount_cents - t.fee_cents as net_cents,
  t.currency, t.method, t.address, t.status, t.reference, t.failure_reason, t.created_at, t.completed_at`

/** Inserts a withdrawal, and deducts its amount from the available balance. */
export const insertWithdrawal = (
  tx: Tx,
  storeId: number,
  { amount_cents, fee_cents, method, address }: NewWithdrawal,
  { currency, now }: { currency: string; now: string },
) =>
  onlyRow<Withdrawal>(tx)`
    with t as (
      insert into withdrawal (store_id, amount_cents, fee_cents, currency, method, address, status, created_at)
      values (${storeId}, ${amount_cents}, ${fee_cents}, ${currency}, ${method}, ${address}, 'pending', ${now})
      returning *),
    deducted as (
      update wallet w set pending_cents = w.pending_cents + t.amount_cents
        from t
       where w.store_id = t.store_id)
    select ${WITHDRAWAL} from t`

export const selectWithdrawal = (db: Db, storeId: number, id: number) =>
  firstRow<Withdrawal>(db)`
    select ${WITHDRAWAL} from withdrawal t where t.store_id = ${storeId} and t.id = ${id}`

/** Locks a withdrawal, and returns its status. */
export const lockWithdrawal = (tx: Tx, storeId: number, id: number) =>
  firstValue<WithdrawalStatus>(tx)`
    select status from withdrawal where store_id = ${storeId} and id = ${id} for update`

export interface WithdrawalOutcome {
  status: EndStatus
  /** If null, the reference is not changed. */
  reference: string | null
  failure_reason: string | null
  now: string
}

/** Records that the transfer of a withdrawal is under way. The amount remains deducted. */
export const processWithdrawal = (tx: Tx, storeId: number, id: number, reference: string | null) =>
  firstRow<Withdrawal>(tx)`
    update withdrawal t set status = 'processing', reference = ${reference}
     where t.store_id = ${storeId} and t.id = ${id}
    returning ${WITHDRAWAL}`

/** Ends a withdrawal. Its amount is added to `withdrawn_cents` if it was completed, else it is available again. */
export async function endWithdrawal(
  tx: Tx,
  storeId: number,
  id: number,
  { status, reference, failure_reason, now }: WithdrawalOutcome,
): Promise<Withdrawal> {
  const isCompleted = status === 'completed'
  // If the clock was set back, the end must not be before the request.
  const ended_at = sql`greatest(created_at, ${now}::timestamptz)`
  return onlyRow<Withdrawal>(tx)`
    with t as (
      update withdrawal
         set status = ${status}, reference = coalesce(${reference}, reference), failure_reason = ${failure_reason},
             completed_at = case when ${isCompleted}::boolean then ${ended_at} end,
             returned_at = case when not ${isCompleted}::boolean then ${ended_at} end
       where store_id = ${storeId} and id = ${id}
      returning *),
    moved as (
      update wallet w
         set pending_cents = w.pending_cents - t.amount_cents,
             withdrawn_cents = w.withdrawn_cents + case when ${isCompleted}::boolean then t.amount_cents else 0 end
        from t
       where w.store_id = t.store_id)
    select ${WITHDRAWAL} from t`
}

/** Returns a page of withdrawals, the newest first, and the number of matches. */
export const selectWithdrawals = (db: Db, storeId: number, { status, ...page }: WithdrawalQuery) =>
  selectNewest<Withdrawal>(db, {
    table: 'withdrawal',
    columns: WITHDRAWAL,
    storeId,
    ...page,
    filters: [status && sql`t.status = any(${status}::text[])`],
  })

/** The job is due as soon as there is a delta. */
export const nextFold: Expression = sql`(select to_timestamp(0) from wallet_delta limit 1)`
