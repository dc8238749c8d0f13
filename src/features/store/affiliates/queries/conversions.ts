import { sql } from 'kysely'
import type { Db, Tx } from '../../../../db/database.ts'
import { updateRecord } from '../../../../db/records.ts'
import { firstRow, onlyRow, REPLANNED } from '../../../../db/rows.ts'
import type { Balances } from '../commission.rules.ts'
import type { Conversion, ConversionStatus, Conversions, PartnerStatus } from '../schema.ts'

const PAGE_SIZE = 25

const conversionColumns = (now: string) => sql`
  c.id, c.order_id as invoice_id, c.captured_at, c.paid_at, c.source, c.status, c.flags,
  o.total_cents as order_total, o.currency as order_currency, o.status as invoice_status,
  o.refund_status, json_build_object('id', p.id, 'email', p.email, 'name', p.name) as partner,
  c.link_code, c.commission_cents - c.adjusted_cents as commission,
  o.currency as commission_currency,
  case when c.state = 'pending' and c.status = 'valid' and c.available_at <= ${now}
       then 'available' else c.state end as commission_state,
  c.available_at`

const JOINS = sql`
  join "order" o on o.store_id = c.store_id and o.id = c.order_id
  join affiliate_partner p on p.store_id = c.store_id and p.id = c.partner_id`

interface ConversionFilter {
  storeId: number
  now: string
  status?: ConversionStatus | undefined
  partner_id?: string | undefined
  after?: { captured_at: string; id: number } | undefined
}

/** Returns a page, the newest first. `next_cursor` is the id of its last row if another page follows. */
export async function selectConversions(
  db: Db,
  { storeId, now, status, partner_id, after }: ConversionFilter,
): Promise<Pick<Conversions, 'conversions' | 'next_cursor'>> {
  const conditions = [
    sql`store_id = ${storeId}`,
    status !== undefined && sql`status = ${sql.lit(status)}`,
    partner_id !== undefined && sql`partner_id = ${partner_id}`,
    after !== undefined && sql`(captured_at, id) < (${after.captured_at}, ${after.id})`,
  ]
  const where = sql.join(
    conditions.filter((condition) => condition !== false),
    sql` and `,
  )
  const { rows } = await sql<Conversion & { id: number }>`
    with c as materialized (
      select * from affiliate_conversion
       where ${where}
       order by captured_at desc, id desc
       limit ${PAGE_SIZE + 1}
    )
    select ${conversionColumns(now)} from c ${JOINS}
     order by c.captured_at desc, c.id desc`.execute(db)
  const conversions = rows.slice(0, PAGE_SIZE)
  return {
    conversions,
    next_cursor: rows.length > PAGE_SIZE ? (conversions.at(-1)?.id ?? null) : null,
  }
}

export const selectConversion = (
  db: Db,
  { storeId, now }: { storeId: number; now: string },
  orderId: string,
) =>
  firstRow<Conversion>(db)`
    select ${conversionColumns(now)} from affiliate_conversion c ${JOINS}
     where c.store_id = ${storeId} and c.order_id = ${orderId}`

export const selectCursor = (db: Db, storeId: number, id: number) =>
  firstRow<{ captured_at: string; id: number }>(db)`
    select captured_at, id from affiliate_conversion
     where store_id = ${storeId} and id = ${id}`

/** Sums the counters of the partners, who are far fewer than their conversions. */
export function selectCounts(db: Db, storeId: number, partnerId?: string) {
  const partnerFilter = partnerId === undefined ? sql`` : sql`and id = ${partnerId}`
  // A plan for stores of average size reads the partners of all stores.
  return onlyRow<Conversions['counts']>(db)`${REPLANNED}
    select coalesce(sum(valid_count + flagged_count + rejected_count), 0)::bigint as all,
           coalesce(sum(valid_count), 0)::bigint as valid,
           coalesce(sum(flagged_count), 0)::bigint as flagged,
           coalesce(sum(rejected_count), 0)::bigint as rejected
      from affiliate_partner
     where store_id = ${storeId} ${partnerFilter}`
}

interface ConversionSignals {
  same_ip: boolean
  blocked: boolean
  recent_count: number
  /** True if the coupon names the partner, or if no link of the partner has the code. */
  by_coupon: boolean
}

/** Returns the signals that determine the flags of a new conversion. The caller has locked the partner. */
export function selectSignals(
  tx: Tx,
  storeId: number,
  sale: {
    partner_id: string
    customer_id: number
    coupon_code: string | null
    ips: readonly string[]
    now: string
  },
) {
  const timeBefore = (span: string) => sql`${sale.now}::timestamptz - ${sql.lit(span)}::interval`
  return onlyRow<ConversionSignals>(tx)`
    select exists (select from affiliate_partner
                    where store_id = ${storeId} and id = ${sale.partner_id}
                      and applied_ip = any(${sale.ips}::text[]))
           or exists (select from affiliate_conversion c
                        join "order" o on o.store_id = c.store_id and o.id = c.order_id
                       where c.store_id = ${storeId} and c.partner_id = ${sale.partner_id}
                         and c.paid_at > ${timeBefore('24 hours')}
                         and o.ip = any(${sale.ips}::text[])) as same_ip,
           exists (select from customer
                    where store_id = ${storeId} and id = ${sale.customer_id}
                      and blocked_at is not null) as blocked,
           (select count(*) from affiliate_conversion
             where store_id = ${storeId} and partner_id = ${sale.partner_id}
               and paid_at > ${timeBefore('1 hour')}) as recent_count,
           ${sale.coupon_code}::text is not null
           and (not exists (select from affiliate_link
                             where store_id = ${storeId} and code = ${sale.coupon_code}
                               and partner_id = ${sale.partner_id})
                or exists (select from coupon
                            where store_id = ${storeId} and upper(code) = upper(${sale.coupon_code})
                              and affiliate_partner_id = ${sale.partner_id})) as by_coupon`
}

interface NewConversion {
  order_id: string
  partner_id: string
  link_code: string
  source: Conversion['source']
  status: ConversionStatus
  flags: string[]
  percent: number
  captured_at: string
  paid_at: string
}

/** Returns false if the order has a conversion already. */
export async function insertConversion(
  tx: Tx,
  storeId: number,
  row: NewConversion,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('affiliate_conversion')
    .values({ ...row, store_id: storeId })
    .onConflict((conflict) => conflict.columns(['store_id', 'order_id']).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

interface LockedConversion {
  id: number
  order_id: string
  partner_id: string
  status: ConversionStatus
  state: 'none' | 'pending' | 'requested' | 'paid' | 'reversed'
  flags: string[]
  percent: number
  base_cents: number
  commission_cents: number
  adjusted_cents: number
  available_at: string | null
  note: string | null
  partner_status: PartnerStatus
  total_cents: number
  paid_cents: number
  refunded_cents: number
}

/** Locks the partner of an order's conversion, then the conversion. */
export async function lockConversion(
  tx: Tx,
  storeId: number,
  orderId: string,
): Promise<LockedConversion | undefined> {
  await sql`
    select from affiliate_partner
     where store_id = ${storeId}
       and id = (select partner_id from affiliate_conversion
                  where store_id = ${storeId} and order_id = ${orderId})
       for update`.execute(tx)
  return firstRow<LockedConversion>(tx)`
    select c.id, c.order_id, c.partner_id, c.status, c.state, c.flags, c.percent, c.base_cents,
           c.commission_cents, c.adjusted_cents, c.available_at, c.note, p.status as partner_status,
           o.total_cents, o.paid_cents, o.refunded_cents
      from affiliate_conversion c
      join affiliate_partner p on p.store_id = c.store_id and p.id = c.partner_id
      join "order" o on o.store_id = c.store_id and o.id = c.order_id
     where c.store_id = ${storeId} and c.order_id = ${orderId}
       for update of c`
}

type ConversionChange = Partial<
  Pick<
    LockedConversion,
    | 'status'
    | 'state'
    | 'base_cents'
    | 'commission_cents'
    | 'adjusted_cents'
    | 'available_at'
    | 'note'
  >
>

export const updateConversion = (tx: Tx, storeId: number, id: number, change: ConversionChange) =>
  updateRecord(tx, 'affiliate_conversion', { storeId, id }, change)

/** Adds to the stored totals and balances of a partner, whose row is locked. */
export async function addToPartner(
  tx: Tx,
  storeId: number,
  id: string,
  { valid = 0, flagged = 0, rejected = 0, ...cents }: Partial<PartnerTotalsRow>,
): Promise<void> {
  const { earned_cents = 0, paid_cents = 0 } = cents
  const { unpaid_cents = 0, flagged_cents = 0, adjusted_cents = 0 } = cents
  await sql`
    update affiliate_partner
       set valid_count = valid_count + ${valid}, flagged_count = flagged_count + ${flagged},
           rejected_count = rejected_count + ${rejected},
           earned_cents = earned_cents + ${earned_cents}, paid_cents = paid_cents + ${paid_cents},
           unpaid_cents = unpaid_cents + ${unpaid_cents},
           flagged_cents = flagged_cents + ${flagged_cents},
           adjusted_cents = adjusted_cents + ${adjusted_cents}
     where store_id = ${storeId} and id = ${id}`.execute(tx)
}

type PartnerTotalsRow = Record<
  ConversionStatus | 'earned_cents' | 'paid_cents' | keyof Balances | 'adjusted_cents',
  number
>

export async function insertAdjustment(
  tx: Tx,
  storeId: number,
  row: { partner_id: string; order_id: string; amount_cents: number; created_at: string },
): Promise<void> {
  await tx
    .insertInto('affiliate_adjustment')
    .values({ ...row, store_id: storeId })
    .execute()
}
