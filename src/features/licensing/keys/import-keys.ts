import { inTransaction } from '../../../db/database.ts'
import { uniqueViolation } from '../../../db/failure.ts'
import { invalid, PlainError } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import type { Actor } from '../../installation/index.ts'
import { appNamed } from '../apps/index.ts'
import { addKeys } from './create-keys.ts'
import { hashOfImported, hashOfMade } from './key-hash.ts'
import { formOf } from './key-text.rules.ts'
import { selectTaken } from './queries/keys.ts'
import type { ImportedKeys, LicenseKey } from './schema.ts'

/**
 * Takes keys over from elsewhere, to be entered exactly as they are. One that is there, or was, and one
 * that is sent twice refuse all of them.
 */
export function importKeys(
  context: StoreContext,
  actor: Actor,
  { app_id, keys }: ImportedKeys,
): Promise<LicenseKey[]> {
  checkForms(keys)
  const { vault, store } = context
  const work = inTransaction(context.db, async (tx) => {
    const app = await appNamed(tx, context, app_id)
    // One that we made is found by its own hash: an imported twin of it would be found by both.
    const made = keys.map(({ key }) => hashOfMade(vault, app.id, key))
    const [twin] = await selectTaken(tx, store.id, app.id, made)
    if (twin) throw taken(made.findIndex((item) => item.equals(twin)))
    return addKeys(tx, context, actor, {
      action: 'license_key.import',
      keys: keys.map(({ key, ...terms }) => ({
        text: key,
        key_hmac: hashOfImported(vault, app.id, key),
        app_id: app.id,
        order_item_id: null,
        terms,
      })),
    })
  })
  return work.catch((error: unknown) => {
    if (uniqueViolation(error)?.index !== 'license_key_once') throw error
    throw new PlainError(409, 'keys: One of these keys was added at the same time.')
  })
}

const taken = (at: number) =>
  new PlainError(409, `keys[${at}].key: This key is there already, or was.`)

function checkForms(keys: ImportedKeys['keys']): void {
  const seen = new Set<string>()
  for (const [at, { key }] of keys.entries()) {
    if (seen.has(key)) throw new PlainError(409, `keys[${at}].key: This key is sent twice.`)
    seen.add(key)
    if (formOf(key) === 'mistyped') {
      throw invalid(`keys[${at}].key`, 'It has the form of our keys, and its last symbol is wrong.')
    }
  }
}
