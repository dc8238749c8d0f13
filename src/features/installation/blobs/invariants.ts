import { sql } from 'kysely'
import { breaking, type Invariant } from '../../../db/invariant.ts'

export const blobInvariants: readonly Invariant[] = [
  breaking(
    'files_are_counted',
    'A file in storage has as many uses as there are records that show it.',
    sql`
      select b.store_id, b.id
        from blob b
       where b.uses <> (select count(*) from product_media m
                         where m.store_id = b.store_id and m.blob_id = b.id)
                     + (select count(*) from product_file f
                         where f.store_id = b.store_id and f.blob_id = b.id)
                     + (select count(*) from serverside_file s
                         where s.store_id = b.store_id and s.blob_id = b.id)`,
  ),
]
