import { sql } from 'kysely'
import { among } from '../../../../db/among.ts'
import type { Db, Tx } from '../../../../db/database.ts'
import { countedTo } from '../../../../kernel/page.ts'
import type { Partner, PartnerPatch, PartnerQuery, PartnerStatus } from '../schema.ts'

type Stored = Omit<Partner, 'links'> & {
  links: { code: string; clicks: number; created_at: string }[]
}

/**
 * A commission becomes available at a moment, so the available amount is computed and not stored:
 * the unpaid amount less the held one.
 */
const partnerAt = (now: string) => sql`
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
  p.unpaid_cents - h.held_cents + p.adjusted_cents as available_cents,
  p.flagged_cents + h.held_cents as pending_cents, p.paid_cents, p.created_at, p.updated_at
  from affiliate_partner p
  cross join lateral (
    select coalesce(sum(c.commission_cents), 0)::bigint as held_cents
      from affiliate_conversion c
     where c.store_id = p.store_id and c.partner_id = p.id and c.state = 'pending'
       and c.status = 'valid' and c.available_at > ${now}) h`

export async function selectPartner(
  db: Db,
  { storeId, now }: { storeId: number; now: string },
  id: string,
): Promise<Stored | undefined> {
  const { rows } = await sql<Stored>`
    select ${partnerAt(now)} where p.store_id = ${storeId} and p.id = ${id}`.execute(db)
  return rows[0]
}

export async function selectPartners(
  db: Db,
  { storeId, now }: { storeId: number; now: string },
  { status, search, limit, offset }: PartnerQuery,
): Promise<{ partners: Stored[]; total: number }> {
  const needle = search?.toLowerCase()
  const all = [
    sql`p.store_id = ${storeId}`,
    among('p.status', status),
    needle !== undefined &&
      sql`(position(${needle} in p.email) > 0 or position(${needle} in lower(p.name)) > 0)`,
  ]
  const where = sql.join(
    all.filter((item) => typeof item === 'object'),
    sql` and `,
  )
  const page = await sql<Stored>`
    select ${partnerAt(now)} where ${where} order by p.id desc limit ${limit} offset ${offset}`.execute(
    db,
  )
  const count = await sql<{ total: number }>`
    select count(*) as total
      from (select from affiliate_partner p where ${where}
             limit ${countedTo({ limit, offset })}) c`.execute(db)
  return { partners: page.rows, total: count.rows[0]?.total ?? 0 }
}

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

/** Every change of a partner's money locks the partner first, then conversions. */
export async function lockPartner(
  tx: Tx,
  storeId: number,
  id: string,
): Promise<LockedPartner | undefined> {
  const { rows } = await sql<LockedPartner>`
    select id, email, name, note, status, commission_percent, applied_ip, created_at
      from affiliate_partner
     where store_id = ${storeId} and id = ${id}
       for update`.execute(tx)
  return rows[0]
}

/** Returns false if another partner has the email. */
export async function insertPartner(tx: Tx, storeId: number, row: LockedPartner): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('affiliate_partner')
    .values({ ...row, store_id: storeId, updated_at: row.created_at })
    .onConflict((conflict) => conflict.columns(['store_id', 'email']).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export async function updatePartner(
  tx: Tx,
  storeId: number,
  { id, now, ...fields }: PartnerPatch & { status?: PartnerStatus; id: string; now: string },
): Promise<void> {
  await tx
    .updateTable('affiliate_partner')
    .set({ ...fields, updated_at: now })
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .execute()
}

/** Returns false if the code is taken. */
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

export async function partnerExists(db: Db, storeId: number, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from affiliate_partner where store_id = ${storeId} and id = ${id}`.execute(db)
  return rows.length > 0
}

export async function countLinks(tx: Tx, storeId: number, partnerId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from affiliate_link
     where store_id = ${storeId} and partner_id = ${partnerId}`.execute(tx)
  return rows[0]?.count ?? 0
}

/** The approved partner of a link, or the one that a coupon names. */
export async function selectReferrer(
  tx: Tx,
  storeId: number,
  { code, partner_id }: { code: string | null; partner_id: string | null },
): Promise<{ by_coupon: string | null; by_link: string | null }> {
  const { rows } = await sql<{ by_coupon: string | null; by_link: string | null }>`
    select (select id from affiliate_partner
             where store_id = ${storeId} and id = ${partner_id} and status = 'approved') as by_coupon,
           (select p.id
              from affiliate_link l
              join affiliate_partner p on p.store_id = l.store_id and p.id = l.partner_id
             where l.store_id = ${storeId} and l.code = lower(${code}) and p.status = 'approved')
             as by_link`.execute(tx)
  return rows[0] ?? { by_coupon: null, by_link: null }
}
