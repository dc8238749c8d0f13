import { inTransaction } from '../../../db/database.ts'
import { uniqueViolation } from '../../../db/failure.ts'
import { invalid, Refusal } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import type { Actor } from '../../installation/index.ts'
import { appNamed } from '../apps/index.ts'
import { addKeys } from './create-keys.ts'
import { hashOfImported, hashOfMade } from './key-hash.ts'
import { formOf } from './key-text.rules.ts'
import { selectTaken } from './queries/keys.ts'
import type { ImportedKeys, LicenseKey } from './schema.ts'

/**
 * Imports keys that were generated elsewhere; holders enter them exactly as they are. A key that exists,
 * existed before or is sent twice refuses the whole import.
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
    // A lookup tries both hashes, so an imported copy of a generated key would match two rows.
    const hashes = keys.map(({ key }) => hashOfMade(vault, app.id, key))
    const [duplicate] = await selectTaken(tx, store.id, app.id, hashes)
    if (duplicate) throw alreadyKnown(hashes.findIndex((hash) => hash.equals(duplicate)))
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
    throw new Refusal(
      409,
      'keys: Another call added one of these keys at the same time. Send the call again.',
    )
  })
}

const alreadyKnown = (at: number) =>
  new Refusal(409, `keys[${at}].key: This key exists already, or was deleted. Use another key.`)

function checkForms(keys: ImportedKeys['keys']): void {
  const seen = new Set<string>()
  for (const [at, { key }] of keys.entries()) {
    if (seen.has(key))
      throw new Refusal(409, `keys[${at}].key: This key is in the list twice. Send each key once.`)
    seen.add(key)
    if (formOf(key) === 'mistyped') {
      throw invalid(
        `keys[${at}].key`,
        'The check symbol at the end of the key is wrong. Correct the key.',
      )
    }
  }
}
