import type { Shop } from '../../shop.ts'
import type { Actor } from '../audit/index.ts'
import { changeString, openValue } from './change-string.ts'
import type * as q from './queries.ts'
import type { ServersideString } from './schema.ts'

/** Switches a string on or off (specification, "States and transitions"). */
export const switchString = (
  shop: Shop,
  actor: Actor,
  key: { id: number; version: number | undefined },
  status: q.StringRow['status'],
): Promise<ServersideString> =>
  changeString(shop, actor, { ...key, action: 'serverside_string.switch' }, (before, place) => ({
    status,
    value_enc: shop.vault.seal(place, openValue(shop, before)),
  }))
