import { randomBytes } from 'node:crypto'
import { inTransaction } from '../../../db/database.ts'
import { invalidState } from '../../../kernel/errors.ts'
import { vetUrl } from '../../../network/vet-url.ts'
import type { StoreContext } from '../../../store-context.ts'
import { deleteCallsOf } from '../orders/index.ts'
import { readVariant } from '../products/index.ts'
import * as q from './queries.ts'
import type { DynamicAddress, NewDynamicAddress, SetDynamicAddress } from './schema.ts'
import { addressSecretSealContext } from './sealed.ts'

/** Refuses an address that no request may be sent to. */
export const vetAddress = ({ allowedHosts }: StoreContext, { url }: NewDynamicAddress) =>
  vetUrl(url ?? undefined, allowedHosts)

/** Sets or deletes the address that the texts of a dynamic variant are asked for (decision 45). */
export function setAddress(
  context: StoreContext,
  ref: string,
  variantId: number,
  { url }: NewDynamicAddress,
): Promise<SetDynamicAddress> {
  const { store, now, vault } = context
  return inTransaction(context.db, async (tx) => {
    const { variant } = await readVariant(context, tx, ref, variantId)
    if (url === null) {
      await deleteCallsOf(tx, store.id, variantId)
      await q.deleteAddress(tx, store.id, variantId)
      return { ...(await q.selectAddress(tx, store.id, variantId)), secret: null }
    }
    if (variant.delivery_type !== 'dynamic') {
      const why = `The delivery_type of this variant is ${variant.delivery_type}. Set it to dynamic first.`
      throw invalidState(variant.delivery_type, why)
    }
    const secret = newSecret()
    const secret_enc = vault.seal(addressSecretSealContext(store.id, variantId), secret)
    const { isNew } = await q.upsertAddress(tx, store.id, variantId, { url, secret_enc, now })
    const address = await q.selectAddress(tx, store.id, variantId)
    return { ...address, secret: isNew ? secret : null }
  })
}

/** The whole text is the key of the signature, as for webhooks. */
const newSecret = () => `whsec_${randomBytes(24).toString('base64')}`

export async function getAddress(
  context: StoreContext,
  ref: string,
  variantId: number,
): Promise<DynamicAddress> {
  await readVariant(context, context.db, ref, variantId)
  return q.selectAddress(context.db, context.store.id, variantId)
}
