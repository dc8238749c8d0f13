import { sql } from 'kysely'
import { type Invariant, invariantOf } from '../../../db/invariant.ts'

export const blobInvariants: readonly Invariant[] = [
  invariantOf(
    'files_are_counted',
    'The uses of a stored file equal the number of records that refer to it.',
    sql`
      select b.store_id, b.id
        from blob b
       where b.uses <> (select count(*) from product_media m
                         where m.store_id = b.store_id and m.blob_id = b.id)
                     + (select count(*) from product_file f
                         where f.store_id = b.store_id and f.blob_id = b.id)
                     + (select count(*) from return_photo p
                         where p.store_id = b.store_id and p.blob_id = b.id)
                     + (select count(*) from serverside_file s
                         where s.store_id = b.store_id and s.blob_id = b.id)
                     + (select count(*) from serverside_file_version v
                         where v.store_id = b.store_id and v.blob_id = b.id)`,
  ),
]
