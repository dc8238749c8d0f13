import { inTransaction, type Tx } from '../../db/database.ts'
import { uniqueViolation } from '../../db/failure.ts'
import { checkVersion, found, taken } from '../../kernel/errors.ts'
import type { Shop } from '../../shop.ts'
import { appNamed } from '../apps/index.ts'
import { type Actor, recordChanges } from '../audit/index.ts'
import * as q from './queries.ts'
import type { NewString, ServersideString, StringContent } from './schema.ts'

/** A value opens in its own row only, and only in the version that it was sealed for. */
const placeOf = (storeId: number, { id, version }: Pick<q.StringRow, 'id' | 'version'>) => ({
  column: 'serverside_string.value',
  storeId,
  row: `${id}|${version}`,
})

export const openValue = ({ vault, store }: Shop, row: q.StringRow): string =>
  vault.open(placeOf(store.id, row), row.value_enc).toString()

export const withValue = (shop: Shop, row: q.StringRow): ServersideString => {
  const { value_enc: _, ...listed } = row
  return { ...listed, value: openValue(shop, row) }
}

export function createString(shop: Shop, actor: Actor, sent: NewString): Promise<ServersideString> {
  const { store, vault, now } = shop
  return refusingTakenName(() =>
    inTransaction(shop.db, async (tx) => {
      const { app_id, value, ...fields } = sent
      const app = await appNamed(tx, shop, app_id)
      const key = { id: await q.drawStringId(tx), version: 1 }
      await q.insertString(tx, store.id, {
        ...key,
        ...fields,
        app_id: app.id,
        value_bytes: Buffer.byteLength(value),
        value_enc: vault.seal(placeOf(store.id, key), value),
        created_at: now,
        updated_at: now,
      })
      return written(tx, shop, actor, { action: 'serverside_string.create', id: key.id })
    }),
  )
}

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

type Plan = (before: q.StringRow, place: ReturnType<typeof placeOf>) => Partial<q.NewStringRow>

/** A new version, with the value sealed for it. */
function changeString(
  shop: Shop,
  actor: Actor,
  { id, version, action }: { id: number; version: number | undefined; action: string },
  plan: Plan,
): Promise<ServersideString> {
  const { store, now } = shop
  return inTransaction(shop.db, async (tx) => {
    const before = found(await q.lockString(tx, store.id, id), 'String')
    checkVersion(before.version, version)
    const next = { id, version: before.version + 1 }
    await q.updateString(tx, store.id, id, {
      ...plan(before, placeOf(store.id, next)),
      version: next.version,
      updated_at: now,
    })
    return written(tx, shop, actor, { action, id, before: withValue(shop, before) })
  })
}

export function deleteString(
  shop: Shop,
  actor: Actor,
  { id, version }: { id: number; version: number | undefined },
): Promise<void> {
  const { store } = shop
  return inTransaction(shop.db, async (tx) => {
    const row = found(await q.lockString(tx, store.id, id), 'String')
    checkVersion(row.version, version)
    await q.deleteString(tx, store.id, id)
    const before = withValue(shop, row)
    const change = { action: 'serverside_string.delete', record_type: before.object, record_id: id }
    await recordChanges(tx, shop, actor, [{ ...change, before }])
  })
}

async function written(
  tx: Tx,
  shop: Shop,
  actor: Actor,
  { action, id, before }: { action: string; id: number; before?: ServersideString },
): Promise<ServersideString> {
  const row = found(await q.selectString(tx, shop.store.id, id), 'String')
  const after = withValue(shop, row)
  await recordChanges(tx, shop, actor, [
    { action, record_type: after.object, record_id: id, before, after },
  ])
  return after
}

async function refusingTakenName<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (uniqueViolation(error)?.index !== 'serverside_string_name_taken') throw error
    throw taken('name', 'Another string of this app has this name.')
  }
}
