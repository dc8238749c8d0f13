import { setImmediate as nextTurn } from 'node:timers/promises'
import { inTransaction } from '../../../db/database.ts'
import { checkVersion, invalid, Refusal } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { type KeyActor, type RecordChange, recordChanges } from '../../installation/index.ts'
import { lockAppOrDefault } from '../apps/index.ts'
import { checkSetting } from './check-content.ts'
import * as q from './queries.ts'
import type { AllSettings, RemoteSetting } from './schema.ts'
import { saveVersionsBy } from './setting-records.ts'
import { isEqualJson } from './settings.rules.ts'

/** Replaces all settings of an app in one transaction. Unchanged settings keep their version. */
export async function replaceSettings(
  context: StoreContext,
  actor: KeyActor,
  { app_id, settings }: AllSettings,
  version: number | undefined,
): Promise<{ remote_settings: RemoteSetting[]; config_version: number }> {
  await checkAll(settings)
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    const app = await lockAppOrDefault(tx, context, app_id)
    const config_version = await q.incrementConfigVersion(tx, store.id, app.id)
    checkVersion(config_version - 1, version)
    const before = await q.selectSettingsOfApp(tx, store.id, app.id)
    const unlistedSettings = new Map(before.map((setting) => [setting.key, setting]))
    const rows = settings.flatMap((body): q.SettingRow[] => {
      const old = unlistedSettings.get(body.key)
      unlistedSettings.delete(body.key)
      if (old && isUnchanged(old, body)) return []
      const created_at = old?.created_at ?? now
      const next = (old?.version ?? 0) + 1
      return [{ ...body, app_id: app.id, version: next, created_at, updated_at: now }]
    })
    const removedIds = [...unlistedSettings.values()].map((setting) => setting.id)
    await q.deleteSettings(tx, store.id, removedIds)
    const ids = await q.upsertSettings(tx, store.id, rows)
    await saveVersionsBy(tx, context, actor, ids)
    const after = await q.selectSettingsOfApp(tx, store.id, app.id)
    await recordChanges(
      tx,
      context,
      actor,
      changesOf(before, after, new Set([...ids, ...removedIds])),
    )
    return { remote_settings: after, config_version }
  })
}

async function checkAll(settings: AllSettings['settings']): Promise<void> {
  const keys = new Set<string>()
  for (const [index, setting] of settings.entries()) {
    if (keys.has(setting.key))
      throw invalid(`settings[${index}].key`, 'Send each key once.', { rule: 'unique' })
    keys.add(setting.key)
    await withFieldPrefix(`settings[${index}]`, () => checkSetting(setting))
    // A pattern may take 20 ms, so other calls get a turn.
    if (setting.constraints.pattern !== undefined) await nextTurn()
  }
}

/** Prefixes the field of an error with the setting's position in the list. */
async function withFieldPrefix(path: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw invalid(`${path}.${String(error.details?.field)}`, error.message)
  }
}

const isUnchanged = (old: RemoteSetting, body: AllSettings['settings'][number]): boolean =>
  Object.entries(body).every(([name, value]) =>
    isEqualJson(old[name as keyof RemoteSetting], value),
  )

function changesOf(
  before: readonly RemoteSetting[],
  after: readonly RemoteSetting[],
  changedIds: ReadonlySet<number>,
): RecordChange[] {
  const beforeById = new Map(before.map((item) => [item.id, item]))
  const afterById = new Map(after.map((item) => [item.id, item]))
  return [...changedIds].map((id) => ({
    action: 'remote_setting.replace',
    record_type: 'remote_setting',
    record_id: id,
    before: beforeById.get(id),
    after: afterById.get(id),
  }))
}
