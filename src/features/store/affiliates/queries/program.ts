import { sql } from 'kysely'
import type { Db, Tx } from '../../../../db/database.ts'
import { firstRow } from '../../../../db/rows.ts'
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

/** Returns the programme. A store that never changed the terms has no row and the default terms. */
export async function selectProgram(db: Db, storeId: number): Promise<StoredProgram> {
  const { rows } = await sql<StoredProgram & { has_terms: boolean }>`
    select coalesce((s.features ->> 'affiliates')::boolean, false) as enabled,
           program.store_id is not null as has_terms, program.commission_percent,
           program.hold_days, program.cookie_days, program.min_payout_cents, program.auto_approve,
           program.public_signup, program.customer_discount_percent, program.landing_url
      from store s
      left join affiliate_program program on program.store_id = s.id
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
  const isEmpty = Object.values(terms).every((value) => value === undefined)
  if (isEmpty) return
  await tx.updateTable('affiliate_program').set(terms).where('store_id', '=', storeId).execute()
}

interface LinkTarget {
  landing_url: string | null
  /** Days until the cookie of the click expires; null if the code is not a link of an approved partner. */
  cookie_days: number | null
}

/**
 * Counts a click on a link. Both sides of a store have the same slug; if both have the link, the click
 * counts for the live side. Returns undefined if no store has the slug.
 */
export const updateClicks = (db: Db, slug: string, code: string | null) =>
  firstRow<LinkTarget>(db)`
    with side as (
      select s.id, s.livemode, program.landing_url,
             coalesce(program.cookie_days, ${DEFAULTS.cookie_days}) as cookie_days,
             l.partner_id is not null as has_link
        from store s
        left join affiliate_program program on program.store_id = s.id
        left join (affiliate_link l
                   join affiliate_partner p on p.store_id = l.store_id and p.id = l.partner_id
                                           and p.status = 'approved')
          on l.store_id = s.id and l.code = ${code}
             and coalesce((s.features ->> 'affiliates')::boolean, false)
       where s.slug = ${slug}
       order by has_link desc, s.livemode desc
       limit 1
    ), clicked as (
      update affiliate_link l
         set clicks = l.clicks + 1
        from side
       where side.has_link and l.store_id = side.id and l.code = ${code}
    )
    select landing_url, case when has_link then cookie_days end as cookie_days from side`
