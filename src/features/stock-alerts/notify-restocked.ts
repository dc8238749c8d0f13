import type { Tx } from '../../db/database.ts'
import type { Shop } from '../../shop.ts'
import { queueMail } from '../mail/index.ts'
import { takePending } from './queries.ts'
import { STOP_PATH } from './schema.ts'

export interface Restocked {
  product_id: number
  /** Those that customers can buy now. */
  variant_ids: readonly number[]
  name: string
}

/** Writes to those who wait for a product, in the transaction that lets them buy it. Each hears once. */
export async function notifyRestocked(
  tx: Tx,
  shop: Shop,
  { name, ...place }: Restocked,
): Promise<void> {
  const { store, now } = shop
  const recipients = await takePending(tx, store.id, { ...place, now })
  await queueMail(tx, shop, {
    recipients,
    subject: `${name} is in stock again`,
    text: [
      `${name} is in stock again at ${store.name}.`,
      'You get this one mail because you asked to be told.',
    ].join('\n\n'),
    stop: { path: STOP_PATH, text: 'If you want no more mail about stock from us:' },
  })
}
