import { never } from '../../../kernel/never.ts'
import type { StoreContext } from '../../../store-context.ts'
import type { Actor } from '../../installation/index.ts'
import type { Batch } from './action-schema.ts'
import { banKeys, unbanKeys } from './ban-keys.ts'
import { changeKeys, type Work } from './change-keys.ts'
import { deleteKeys } from './delete-keys.ts'
import { extendKeys } from './extend-keys.ts'
import { resetDevices } from './reset-devices.ts'

/** Does one thing to up to 1,000 keys, and says to how many: to all of them, or to none. */
export const batchKeys = (context: StoreContext, actor: Actor, sent: Batch): Promise<number> =>
  changeKeys(
    context,
    actor,
    { ids: sent.ids, action: `license_key.${sent.action}` },
    workOf(context, actor, sent),
  )

function workOf(context: StoreContext, actor: Actor, sent: Batch): Work {
  switch (sent.action) {
    case 'ban':
      return banKeys(context, actor, sent)
    case 'unban':
      return unbanKeys(context)
    case 'delete':
      return deleteKeys(context)
    case 'extend':
      return extendKeys(context, sent)
    case 'reset':
      return resetDevices(context, sent)
    default:
      return never(sent)
  }
}
