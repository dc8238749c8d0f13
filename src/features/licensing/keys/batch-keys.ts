import { never } from '../../../kernel/never.ts'
import type { StoreContext } from '../../../store-context.ts'
import type { Actor } from '../../installation/index.ts'
import type { Batch } from './action-schema.ts'
import { banKeys, unbanKeys } from './ban-keys.ts'
import { changeKeys, type KeyWork } from './change-keys.ts'
import { deleteKeys } from './delete-keys.ts'
import { extendKeys } from './extend-keys.ts'
import { resetDevices } from './reset-devices.ts'

/** Applies an action to up to 1,000 keys, all or none. Returns how many keys there were. */
export const batchKeys = (context: StoreContext, actor: Actor, body: Batch): Promise<number> =>
  changeKeys(
    context,
    actor,
    { ids: body.ids, action: `license_key.${body.action}` },
    workOf(context, actor, body),
  )

function workOf(context: StoreContext, actor: Actor, body: Batch): KeyWork {
  switch (body.action) {
    case 'ban':
      return banKeys(context, actor, body)
    case 'unban':
      return unbanKeys(context)
    case 'delete':
      return deleteKeys(context)
    case 'extend':
      return extendKeys(context, body)
    case 'reset':
      return resetDevices(context, body)
    default:
      return never(body)
  }
}
