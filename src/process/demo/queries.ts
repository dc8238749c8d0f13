import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'

export interface LivelyStore {
  store_id: number
  seed: number
  state: 'making' | 'made'
}

/** The store that `--lively` opened; undefined if there is none. */
export async function selectLivelyStore(db: Db): Promise<LivelyStore | undefined> {
  const { rows } = await sql<LivelyStore>`
    select store_id, seed, state
      from demo_shop
     order by store_id
     limit 1`.execute(db)
  return rows[0]
}

export async function insertLivelyStore(
  tx: Tx,
  { store_id, seed }: Pick<LivelyStore, 'store_id' | 'seed'>,
): Promise<void> {
  await sql`
    insert into demo_shop (store_id, seed, state)
    values (${store_id}, ${seed}, 'making')`.execute(tx)
}

/** Reserves the shop for this process. Returns false while another process makes it. */
export async function claimLivelyStore(
  db: Db,
  { storeId, now, until }: { storeId: number; now: string; until: string },
): Promise<boolean> {
  const { rows } = await sql`
    update demo_shop
       set state = 'making', claimed_until = ${until}
     where store_id = ${storeId} and (claimed_until is null or claimed_until <= ${now})
    returning store_id`.execute(db)
  return rows.length > 0
}

export async function extendClaim(db: Db, storeId: number, until: string): Promise<void> {
  await sql`
    update demo_shop set claimed_until = ${until} where store_id = ${storeId}`.execute(db)
}

/** Ends the claim; a shop that is not complete stays `making`. */
export async function releaseLivelyStore(
  db: Db,
  storeId: number,
  state: LivelyStore['state'],
): Promise<void> {
  await sql`
    update demo_shop
       set state = ${state}, claimed_until = null
     where store_id = ${storeId}`.execute(db)
}
