import { inTransaction } from '../../../db/database.ts'
import { uniqueViolation } from '../../../db/failure.ts'
import { invalid, Refusal } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import type { KeyActor } from '../../installation/index.ts'
import { lockAppOrDefault } from '../apps/index.ts'
import { addKeys, refuseUsedKeys } from './create-keys.ts'
import { hmacOfImportedKey, hmacOfKeyText } from './key-hash.ts'
import { formOf } from './key-text.rules.ts'
import type { ImportedLicenseKeys, LicenseKey } from './schema.ts'

/**
 * Imports keys that were generated elsewhere. License holders must enter them exactly. The whole import is
 * refused if one of the keys exists, was deleted or is in the list twice.
 */
export function importKeys(
  context: StoreContext,
  actor: KeyActor,
  { app_id, keys }: ImportedLicenseKeys,
): Promise<LicenseKey[]> {
  checkForms(keys)
  const { vault } = context
  const work = inTransaction(context.db, async (tx) => {
    const app = await lockAppOrDefault(tx, context, app_id)
    // A lookup uses both kinds of hashes, so an imported copy of a generated key would match two rows.
    const generatedHashes = keys.map(({ key }) => ({
      app_id: app.id,
      key_hmac: hmacOfKeyText(vault, app.id, key),
    }))
    await refuseUsedKeys(tx, context, generatedHashes)
    return addKeys(tx, context, actor, {
      action: 'license_key.import',
      keys: keys.map(({ key, ...terms }) => ({
        text: key,
        key_hmac: hmacOfImportedKey(vault, app.id, key),
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

function checkForms(keys: ImportedLicenseKeys['keys']): void {
  const texts = new Set<string>()
  for (const [index, { key }] of keys.entries()) {
    if (texts.has(key))
      throw new Refusal(
        409,
        `keys[${index}].key: This key is in the list twice. Send each key once.`,
      )
    texts.add(key)
    if (formOf(key) === 'mistyped') {
      throw invalid(
        `keys[${index}].key`,
        'The check symbol at the end of the key is wrong. Correct the key.',
      )
    }
  }
}
