import { sql } from 'kysely'
import type { Db, Tx } from '../../../../db/database.ts'
import type { Program } from '../schema.ts'

type Terms = Omit<Program, 'object' | 'enabled'>

const DEFAULTS: Terms = {
  commission_percent: 10,
  hold_days: 30,
  cookie_days: 30,
  min_payout_cents: 1000,
  auto_approve: false,
  public_signup: true,
  customer_discount_percent: 0,
  landing_url: null,
}

export type StoredProgram = Terms & { enabled: boolean }

/** The switch is a feature of the store; a store that never changed the terms has the defaults. */
export async function selectProgram(db: Db, storeId: number): Promise<StoredProgram> {
  const { rows } = await sql<StoredProgram & { has_terms: boolean }>`
    select coalesce((s.features ->> 'affiliates')::boolean, false) as enabled,
           p.store_id is not null as has_terms, p.commission_percent, p.hold_days, p.cookie_days,
           p.min_payout_cents, p.auto_approve, p.public_signup, p.customer_discount_percent,
           p.landing_url
      from store s
      left join affiliate_program p on p.store_id = s.id
     where s.id = ${storeId}`.execute(db)
  const [{ has_terms, ...program } = { has_terms: false, enabled: false, ...DEFAULTS }] = rows
  return has_terms ? program : { ...DEFAULTS, enabled: program.enabled }
}

export async function lockProgram(tx: Tx, storeId: number): Promise<StoredProgram> {
  await tx
    .insertInto('affiliate_program')
    .values({ ...DEFAULTS, store_id: storeId })
    .onConflict((row) => row.column('store_id').doNothing())
    .execute()
  await sql`select from affiliate_program where store_id = ${storeId} for update`.execute(tx)
  return selectProgram(tx, storeId)
}

export async function updateTerms(tx: Tx, storeId: number, terms: Partial<Terms>): Promise<void> {
  const changed = Object.values(terms).some((value) => value !== undefined)
  if (!changed) return
  await tx.updateTable('affiliate_program').set(terms).where('store_id', '=', storeId).execute()
}

export interface LinkTarget {
  landing_url: string | null
  /** How long the click is remembered; null if the code is not a link of an approved partner. */
  cookie_days: number | null
}

/**
 * Counts a click on a link. A store's two sides share their slug, and the link of the live side comes first.
 * Returns undefined if there is no such store.
 */
export async function updateClicks(
  db: Db,
  slug: string,
  code: string | null,
): Promise<LinkTarget | undefined> {
  const { rows } = await sql<LinkTarget>`
    with side as (
      select s.id, s.livemode, p.landing_url, coalesce(p.cookie_days, ${DEFAULTS.cookie_days}) as cookie_days,
             l.partner_id is not null as known
        from store s
        left join affiliate_program p on p.store_id = s.id
        left join (affiliate_link l
                   join affiliate_partner a on a.store_id = l.store_id and a.id = l.partner_id
                                           and a.status = 'approved')
          on l.store_id = s.id and l.code = ${code}
             and coalesce((s.features ->> 'affiliates')::boolean, false)
       where s.slug = ${slug}
       order by known desc, s.livemode desc
       limit 1
    ), clicked as (
      update affiliate_link l
         set clicks = l.clicks + 1
        from side
       where side.known and l.store_id = side.id and l.code = ${code}
    )
    select landing_url, case when known then cookie_days end as cookie_days from side`.execute(db)
  return rows[0]
}
