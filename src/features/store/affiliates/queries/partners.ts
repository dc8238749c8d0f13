import { sql } from 'kysely'
import type { Db, Tx } from '../../../../db/database.ts'
import { anyForm } from '../../../../db/has-email.ts'
import { selectPage } from '../../../../db/newest.ts'
import { isOneOf } from '../../../../db/one-of.ts'
import { updateRecord } from '../../../../db/records.ts'
import { firstRow, hasRows, onlyRow, onlyValue, REPLANNED } from '../../../../db/rows.ts'
import { containsPattern, foldedColumn } from '../../../../kernel/fold.ts'
import type {
  Partner,
  PartnerPatch,
  PartnerQuery,
  PartnerStatus,
  PartnerTotals,
} from '../schema.ts'

export type StoredPartner = Omit<Partner, 'links'> & {
  links: { code: string; clicks: number; created_at: string }[]
}

/** The commissions of a partner `p` in their hold period. */
const joinHeldCents = (now: string) => sql`
  cross join lateral (
    select coalesce(sum(c.commission_cents), 0)::bigint as cents
      from affiliate_conversion c
     where c.store_id = p.store_id and c.partner_id = p.id and c.state = 'pending'
       and c.status = 'valid' and c.available_at > ${now}) in_hold`
const AVAILABLE = sql`p.unpaid_cents - in_hold.cents + p.adjusted_cents`
const PENDING = sql`p.flagged_cents + in_hold.cents`

/**
 * Pending commissions become available as time passes, without a write. The available amount is
 * therefore computed: the unpaid amount less the amount in its hold period.
 */
const PARTNER = sql`
  p.id, 'affiliate_partner' as object, p.email, p.name, p.note, p.status, p.commission_percent,
  (select coalesce(json_agg(json_build_object('code', l.code, 'clicks', l.clicks,
                                              'created_at', iso(l.created_at))
                            order by l.created_at, l.code), '[]')
     from affiliate_link l
    where l.store_id = p.store_id and l.partner_id = p.id) as links,
  (select coalesce(sum(l.clicks), 0)::bigint
     from affiliate_link l
    where l.store_id = p.store_id and l.partner_id = p.id) as clicks,
  p.valid_count + p.flagged_count + p.rejected_count as conversions, p.earned_cents,
  ${AVAILABLE} as available_cents,
  ${PENDING} as pending_cents, p.paid_cents, p.created_at, p.updated_at`

export const selectPartner = (
  db: Db,
  { storeId, now }: { storeId: number; now: string },
  id: string,
) =>
  firstRow<StoredPartner>(db)`
    select ${PARTNER}
      from affiliate_partner p ${joinHeldCents(now)}
     where p.store_id = ${storeId} and p.id = ${id}`

/** The text in which a partner is searched (decision 182). */
const PARTNER_TEXT = sql`coalesce(p.folded, lower(p.email || chr(10) || coalesce(p.name, '')))`

export function selectPartners(
  db: Db,
  { storeId, now }: { storeId: number; now: string },
  { status, search, ...page }: PartnerQuery,
) {
  return selectPage<StoredPartner>(db, {
    table: 'affiliate_partner',
    alias: 'p',
    columns: PARTNER,
    joins: joinHeldCents(now),
    storeId,
    ...page,
    filters: [
      isOneOf('p.status', status),
      search !== undefined &&
        anyForm(search, (text) => sql`${PARTNER_TEXT} like ${containsPattern(text)}`),
    ],
  })
}

/** Adds up the approved partners. An amount below 0 is not subtracted, because nobody can request it. */
export const selectTotals = (db: Db, { storeId, now }: { storeId: number; now: string }) =>
  onlyRow<PartnerTotals>(db)`${REPLANNED}
    select count(*) as partners,
           (select count(*) from affiliate_link l
              join affiliate_partner owner on owner.store_id = l.store_id and owner.id = l.partner_id
             where l.store_id = ${storeId} and owner.status = 'approved') as links,
           coalesce(sum(${PENDING}), 0)::bigint as pending_cents,
           coalesce(sum(greatest(0, ${AVAILABLE})), 0)::bigint as available_cents
      from affiliate_partner p ${joinHeldCents(now)}
     where p.store_id = ${storeId} and p.status = 'approved'`

export interface LockedPartner {
  id: string
  email: string
  name: string | null
  note: string | null
  status: PartnerStatus
  commission_percent: number | null
  applied_ip: string | null
  created_at: string
}

/** Every change of a partner's money locks the partner first and then its conversions. */
export const lockPartner = (tx: Tx, storeId: number, id: string) =>
  firstRow<LockedPartner>(tx)`
    select id, email, name, note, status, commission_percent, applied_ip, created_at
      from affiliate_partner
     where store_id = ${storeId} and id = ${id}
       for update`

/** Returns false if another partner has the email. */
export async function insertPartner(tx: Tx, storeId: number, row: LockedPartner): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('affiliate_partner')
    .values({
      ...row,
      folded: foldedColumn(row.email, row.name),
      store_id: storeId,
      updated_at: row.created_at,
    })
    .onConflict((conflict) => conflict.columns(['store_id', 'email']).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

interface PartnerUpdate extends PartnerPatch {
  status?: PartnerStatus
  folded: string | null
  id: string
  now: string
}

export async function updatePartner(
  tx: Tx,
  storeId: number,
  { id, now, ...fields }: PartnerUpdate,
): Promise<void> {
  await updateRecord(tx, 'affiliate_partner', { storeId, id }, { ...fields, updated_at: now })
}

/** Returns false if another link has the code. */
export async function insertLink(
  tx: Tx,
  storeId: number,
  row: { code: string; partner_id: string; created_at: string },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('affiliate_link')
    .values({ ...row, store_id: storeId })
    .onConflict((conflict) => conflict.columns(['store_id', 'code']).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export async function deleteLink(tx: Tx, storeId: number, code: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('affiliate_link')
    .where('store_id', '=', storeId)
    .where('code', '=', code)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export const partnerExists = (db: Db, storeId: number, id: string) =>
  hasRows(db)`
    select from affiliate_partner where store_id = ${storeId} and id = ${id}`

export const countLinks = (tx: Tx, storeId: number, partnerId: string) =>
  onlyValue<number>(tx)`
    select count(*) as count from affiliate_link
     where store_id = ${storeId} and partner_id = ${partnerId}`

/** Returns the approved partner that the coupon names and the approved partner of the link. */
export const selectReferrer = (
  tx: Tx,
  storeId: number,
  { code, partner_id }: { code: string | null; partner_id: string | null },
) =>
  onlyRow<{ by_coupon: string | null; by_link: string | null }>(tx)`
    select (select id from affiliate_partner
             where store_id = ${storeId} and id = ${partner_id} and status = 'approved') as by_coupon,
           (select p.id
              from affiliate_link l
              join affiliate_partner p on p.store_id = l.store_id and p.id = l.partner_id
             where l.store_id = ${storeId} and l.code = lower(${code}) and p.status = 'approved')
             as by_link`
