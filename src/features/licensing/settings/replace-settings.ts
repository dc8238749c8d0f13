import { setImmediate as turn } from 'node:timers/promises'
import { inTransaction } from '../../../db/database.ts'
import { checkVersion, invalid, Refusal } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { type Actor, type Change, recordChanges } from '../../installation/index.ts'
import { appNamed } from '../apps/index.ts'
import { checkContent } from './check-content.ts'
import * as q from './queries.ts'
import type { AllSettings, RemoteSetting } from './schema.ts'
import { isSame } from './settings.rules.ts'

export interface Replaced {
  remote_settings: RemoteSetting[]
  config_version: number
}

/** Replaces all settings of an app, all or none. Unchanged settings keep their version. */
export async function replaceSettings(
  context: StoreContext,
  actor: Actor,
  { app_id, settings }: AllSettings,
  version: number | undefined,
): Promise<Replaced> {
  await checkAll(settings)
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    const app = await appNamed(tx, context, app_id)
    const config_version = await q.bumpConfig(tx, store.id, app.id)
    checkVersion(config_version - 1, version)
    const before = await q.selectSettingsOfApp(tx, store.id, app.id)
    const known = new Map(before.map((setting) => [setting.key, setting]))
    const rows = settings.flatMap((body): q.SettingRow[] => {
      const old = known.get(body.key)
      known.delete(body.key)
      if (old && isUnchanged(old, body)) return []
      const created_at = old?.created_at ?? now
      const next = (old?.version ?? 0) + 1
      return [{ ...body, app_id: app.id, version: next, created_at, updated_at: now }]
    })
    const removed = [...known.values()].map((setting) => setting.id)
    await q.deleteSettings(tx, store.id, removed)
    const ids = await q.upsertSettings(tx, store.id, rows)
    await q.saveVersions(tx, store.id, ids, { actor_key_id: actor.key_id, now })
    const after = await q.selectSettingsOfApp(tx, store.id, app.id)
    await recordChanges(tx, context, actor, changesOf(before, after, new Set([...ids, ...removed])))
    return { remote_settings: after, config_version }
  })
}

async function checkAll(settings: AllSettings['settings']): Promise<void> {
  const keys = new Set<string>()
  for (const [at, setting] of settings.entries()) {
    if (keys.has(setting.key)) throw invalid(`settings[${at}].key`, 'Send each key once.')
    keys.add(setting.key)
    await withFieldPrefix(`settings[${at}]`, () => checkContent(setting))
    if (setting.constraints.pattern !== undefined) await turn()
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
  Object.entries(body).every(([name, value]) => isSame(old[name as keyof RemoteSetting], value))

function changesOf(
  before: readonly RemoteSetting[],
  after: readonly RemoteSetting[],
  changed: ReadonlySet<number>,
): Change[] {
  const old = new Map(before.map((item) => [item.id, item]))
  const current = new Map(after.map((item) => [item.id, item]))
  return [...changed].map((id) => ({
    action: 'remote_setting.replace',
    record_type: 'remote_setting',
    record_id: id,
    before: old.get(id),
    after: current.get(id),
  }))
}
