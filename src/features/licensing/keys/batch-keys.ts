import { never } from '../../../kernel/never.ts'
import type { StoreContext } from '../../../store-context.ts'
import type { KeyActor } from '../../installation/index.ts'
import type { KeyBatch } from './action-schema.ts'
import { banKeys, unbanKeys } from './ban-keys.ts'
import { changeKey, changeKeys, type KeyWork } from './change-keys.ts'
import { deleteKeys } from './delete-keys.ts'
import { extendKeys } from './extend-keys.ts'
import { resetDevices } from './reset-devices.ts'
import type { ListedLicenseKey } from './schema.ts'
import { toListedKey } from './show-keys.ts'

/** Applies an action to all of up to 1,000 keys or to none. Returns the number of keys. */
export const batchKeys = (
  context: StoreContext,
  actor: KeyActor,
  body: KeyBatch,
): Promise<number> =>
  changeKeys(
    context,
    actor,
    { ids: body.ids, action: `license_key.${body.action}` },
    workFor(context, actor, body),
  )

/** Lifts the ban of a key. Returns false if it had none, which changes nothing (decision 9). */
export async function unbanKey(
  context: StoreContext,
  actor: KeyActor,
  id: number,
): Promise<boolean> {
  const lift = unbanKeys(context)
  let wasBanned = false
  await changeKeys(context, actor, { ids: [id], action: 'license_key.unban' }, (tx, keys) => {
    wasBanned = keys.some(({ banned_at }) => banned_at !== null)
    return lift(tx, keys)
  })
  return wasBanned
}

type WithoutIds<T> = T extends unknown ? Omit<T, 'ids'> : never
type KeyAction = WithoutIds<KeyBatch>

/** Applies an action to one key, and returns the key without its text. */
export async function applyToKey(
  context: StoreContext,
  actor: KeyActor,
  id: number,
  body: KeyAction,
): Promise<ListedLicenseKey> {
  const change = { id, action: `license_key.${body.action}` }
  const row = await changeKey(context, actor, change, workFor(context, actor, body))
  return toListedKey(context, row)
}

function workFor(context: StoreContext, actor: KeyActor, body: KeyAction): KeyWork {
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
