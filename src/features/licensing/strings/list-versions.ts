import { requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { selectRecord } from '../app-records/index.ts'
import * as q from './queries.ts'
import type { StringVersion } from './schema.ts'
import { stringSealContext } from './sealed.ts'

/** Returns the current version of a string and the former ones, newest first. */
export async function listVersions(context: StoreContext, id: number): Promise<StringVersion[]> {
  const { db, store, vault } = context
  const current = requireRecord(await selectRecord(db, store.id, q.STRINGS, id), 'String')
  const formerVersions = await q.selectVersions(db, store.id, id)
  const versionOf = ({ string_id, value_enc, ...fields }: q.StringVersionRow): StringVersion => ({
    ...fields,
    value: vault
      .open(stringSealContext(store.id, { id: string_id, version: fields.version }), value_enc)
      .toString(),
  })
  const { version, name, status, access, min_level, description, value_enc } = current
  const newest = { string_id: id, version, name, status, access, min_level, description, value_enc }
  return [{ ...newest, created_at: current.updated_at }, ...formerVersions].map(versionOf)
}
