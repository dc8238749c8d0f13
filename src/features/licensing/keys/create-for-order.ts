import type { Tx } from '../../../db/database.ts'
import { mapInSlices } from '../../../kernel/slices.ts'
import type { StoreContext } from '../../../store-context.ts'
import { NOBODY } from '../../installation/index.ts'
import { type ClientApp, lockAppOrDefault } from '../apps/index.ts'
import { addKeys } from './create-keys.ts'
import { drawNumber, hmacOfKeyText } from './key-hash.ts'
import { newKeyText } from './key-text.rules.ts'
import type { LicensePolicy } from './policy-schema.ts'
import * as q from './queries/index.ts'
import { defaultTerms, KEYS_MAX, type NewTerms } from './schema.ts'

/** An order line of a variant whose delivery type is `license`. */
interface LicenseLine {
  order_item_id: number
  product_hash: string
  variant_id: number
  quantity: number
}

/**
 * Creates a license key for each unit of an order, in the transaction that marks it paid. The keys become
 * valid when the payment commits (decision 21).
 */
export async function createKeysForOrder(
  tx: Tx,
  context: StoreContext,
  orderId: string,
  lines: readonly LicenseLine[],
): Promise<void> {
  const { store, vault } = context
  const ids = lines.map((line) => line.variant_id)
  const policies = new Map(
    (await q.selectPolicies(tx, store.id, ids)).map((policy) => [policy.variant_id, policy]),
  )
  const customer_email = await q.selectOrderEmail(tx, store.id, orderId)
  const apps = new Map<number | undefined, ClientApp>()
  for (const line of lines) {
    const policy = policies.get(line.variant_id)
    const app = apps.get(policy?.app_id) ?? (await lockAppOrDefault(tx, context, policy?.app_id))
    apps.set(policy?.app_id, app)
    const terms = {
      ...(policy ? termsOf(policy) : defaultTerms()),
      product_id: line.product_hash,
      variant_id: line.variant_id,
      invoice_id: orderId,
      customer_email,
    }
    for (let offset = 0; offset < line.quantity; offset += KEYS_MAX) {
      const count = Math.min(KEYS_MAX, line.quantity - offset)
      const keys = await mapInSlices(Array.from({ length: count }), () => {
        const text = newKeyText(drawNumber, policy?.prefix ?? undefined)
        const key_hmac = hmacOfKeyText(vault, app.id, text)
        return { text, key_hmac, app_id: app.id, order_item_id: line.order_item_id, terms }
      })
      await addKeys(tx, context, NOBODY, { action: 'license_key.create_for_order', keys })
    }
  }
}

const termsOf = (policy: LicensePolicy): NewTerms => {
  const { variant_id, object, app_id, updated_at, prefix, ...terms } = policy
  return { ...defaultTerms(), ...terms }
}
