import type { Shop } from '../../shop.ts'
import type { Actor } from '../audit/index.ts'
import { changeString, refusingTakenName } from './change-string.ts'
import type { ServersideString, StringContent } from './schema.ts'

/** Replaces all that a string says; its status stays. */
export function replaceString(
  shop: Shop,
  actor: Actor,
  key: { id: number; version: number | undefined },
  { value, ...fields }: StringContent,
): Promise<ServersideString> {
  return refusingTakenName(() =>
    changeString(shop, actor, { ...key, action: 'serverside_string.update' }, (_before, place) => ({
      ...fields,
      value_bytes: Buffer.byteLength(value),
      value_enc: shop.vault.seal(place, value),
    })),
  )
}
