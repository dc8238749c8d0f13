import { payloadSealContext } from '../../events/sealed.ts'
import { found } from '../../kernel/errors.ts'
import type { StoreContext } from '../../store-context.ts'
import { selectDelivery } from './queries/log.ts'
import { redact } from './redact.rules.ts'
import type { WebhookDelivery } from './schema.ts'
import { asDelivery } from './show-webhooks.ts'

/** One delivery with its payload and every attempt; its secrets only if `seesOrders`. */
export async function getDelivery(
  { db, store, vault }: StoreContext,
  seesOrders: boolean,
  id: number,
): Promise<WebhookDelivery> {
  const { payload_enc, attempt_history, ...row } = found(
    await selectDelivery(db, store.id, id),
    'Delivery',
  )
  const sealed = Buffer.from(payload_enc, 'base64')
  const text = vault.open(payloadSealContext(store.id, row.event.tag), sealed).toString()
  const content = { payload: JSON.parse(text), attempt_history }
  return { ...asDelivery(row), ...redact(content, seesOrders) }
}
