import { randomBytes } from 'node:crypto'
import { inTransaction } from '../../../db/database.ts'
import { invalidState } from '../../../kernel/errors.ts'
import { checkUrl } from '../../../network/check-url.ts'
import type { StoreContext } from '../../../store-context.ts'
import { deleteCallsOf } from '../orders/index.ts'
import { readVariant } from '../products/index.ts'
import * as q from './queries.ts'
import type { DynamicAddress, NewDynamicAddress, SetDynamicAddress } from './schema.ts'
import { addressSecretSealContext } from './sealed.ts'

/** Refuses an address to which requests are not allowed. */
export const checkAddressUrl = ({ allowedHosts }: StoreContext, { url }: NewDynamicAddress) =>
  checkUrl(url ?? undefined, allowedHosts)

/** Sets or deletes the address that provides the texts of a dynamic variant (decision 45). */
export function setAddress(
  context: StoreContext,
  productRef: string,
  variantId: number,
  { url }: NewDynamicAddress,
): Promise<SetDynamicAddress> {
  const { store, now, vault, audit } = context
  return inTransaction(context.db, async (tx) => {
    const { variant } = await readVariant(context, tx, productRef, variantId)
    if (url === null) {
      await deleteCallsOf(tx, store.id, variantId)
      if (!(await q.deleteAddress(tx, store.id, variantId))) audit.skipEvent()
      return { ...(await q.selectAddress(tx, store.id, variantId)), secret: null }
    }
    if (variant.delivery_type !== 'dynamic') {
      const message = `The delivery_type of this variant is ${variant.delivery_type}. Set it to dynamic first.`
      throw invalidState(variant.delivery_type, message)
    }
    const secret = newSecret()
    const secret_enc = vault.seal(addressSecretSealContext(store.id, variantId), secret)
    const change = await q.upsertAddress(tx, store.id, variantId, { url, secret_enc, now })
    if (!change) audit.skipEvent()
    const address = await q.selectAddress(tx, store.id, variantId)
    return { ...address, secret: change?.is_new ? secret : null }
  })
}

/** Returns a new signing secret. Its whole text, with the prefix, is the key, as for webhooks. */
const newSecret = () => `whsec_${randomBytes(24).toString('base64')}`

export async function getAddress(
  context: StoreContext,
  productRef: string,
  variantId: number,
): Promise<DynamicAddress> {
  await readVariant(context, context.db, productRef, variantId)
  return q.selectAddress(context.db, context.store.id, variantId)
}
