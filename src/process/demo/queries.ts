import type { Db, Tx } from '../../db/database.ts'
import { execute, firstRow, hasRows } from '../../db/rows.ts'

export interface LivelyStore {
  store_id: number
  seed: number
  state: 'making' | 'made'
}

/** Returns the store that `--lively` opened, or undefined if there is none. */
export const selectLivelyStore = (db: Db) =>
  firstRow<LivelyStore>(db)`
    select store_id, seed, state
      from demo_shop
     order by store_id
     limit 1`

export const insertLivelyStore = (
  tx: Tx,
  { store_id, seed }: Pick<LivelyStore, 'store_id' | 'seed'>,
) =>
  execute(tx)`
    insert into demo_shop (store_id, seed, state)
    values (${store_id}, ${seed}, 'making')`

/** Claims the shop for this process. Returns false while another process is creating it. */
export const claimLivelyStore = (
  db: Db,
  { storeId, now, until }: { storeId: number; now: string; until: string },
) =>
  hasRows(db)`
    update demo_shop
       set state = 'making', claimed_until = ${until}
     where store_id = ${storeId} and (claimed_until is null or claimed_until <= ${now})
    returning store_id`

export const extendClaim = (db: Db, storeId: number, until: string) =>
  execute(db)`
    update demo_shop set claimed_until = ${until} where store_id = ${storeId}`

/** Ends the claim. The state of an incomplete shop remains `making`. */
export const releaseLivelyStore = (db: Db, storeId: number, state: LivelyStore['state']) =>
  execute(db)`
    update demo_shop
       set state = ${state}, claimed_until = null
     where store_id = ${storeId}`
