import { never } from '../../kernel/never.ts'
import type { Shop } from '../../shop.ts'
import type { Actor } from '../audit/index.ts'
import type { Batch } from './action-schema.ts'
import { banKeys, unbanKeys } from './ban-keys.ts'
import { changeKeys, type Work } from './change-keys.ts'
import { deleteKeys } from './delete-keys.ts'
import { extendKeys } from './extend-keys.ts'
import { resetDevices } from './reset-devices.ts'

/** Does one thing to up to 1,000 keys, and says to how many: to all of them, or to none. */
export const batchKeys = (shop: Shop, actor: Actor, sent: Batch): Promise<number> =>
  changeKeys(
    shop,
    actor,
    { ids: sent.ids, action: `license_key.${sent.action}` },
    workOf(shop, actor, sent),
  )

function workOf(shop: Shop, actor: Actor, sent: Batch): Work {
  switch (sent.action) {
    case 'ban':
      return banKeys(shop, actor, sent)
    case 'unban':
      return unbanKeys(shop)
    case 'delete':
      return deleteKeys(shop)
    case 'extend':
      return extendKeys(shop, sent)
    case 'reset':
      return resetDevices(shop, sent)
    default:
      return never(sent)
  }
}
