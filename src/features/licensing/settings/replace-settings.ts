import { setImmediate as turn } from 'node:timers/promises'
import { inTransaction } from '../../../db/database.ts'
import { checkVersion, invalid, StoreError } from '../../../kernel/errors.ts'
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

/** Puts a whole configuration in the place of another: all of it, or nothing. */
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
    const rows = settings.flatMap((sent): q.SettingRow[] => {
      const old = known.get(sent.key)
      known.delete(sent.key)
      if (old && isUnchanged(old, sent)) return []
      const created_at = old?.created_at ?? now
      const next = (old?.version ?? 0) + 1
      return [{ ...sent, app_id: app.id, version: next, created_at, updated_at: now }]
    })
    const gone = [...known.values()].map((setting) => setting.id)
    await q.deleteSettings(tx, store.id, gone)
    const ids = await q.upsertSettings(tx, store.id, rows)
    await q.keepVersions(tx, store.id, ids, { actor_key_id: actor.key_id, now })
    const after = await q.selectSettingsOfApp(tx, store.id, app.id)
    await recordChanges(tx, context, actor, changesOf(before, after, new Set([...ids, ...gone])))
    return { remote_settings: after, config_version }
  })
}

async function checkAll(settings: AllSettings['settings']): Promise<void> {
  const keys = new Set<string>()
  for (const [at, setting] of settings.entries()) {
    if (keys.has(setting.key)) throw invalid(`settings[${at}].key`, 'Send each key once.')
    keys.add(setting.key)
    await within(`settings[${at}]`, () => checkContent(setting))
    if (setting.constraints.pattern !== undefined) await turn()
  }
}

/** Names the field at fault by its place in the list. */
async function within(path: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    throw invalid(`${path}.${String(error.details?.field)}`, error.message)
  }
}

const isUnchanged = (old: RemoteSetting, sent: AllSettings['settings'][number]): boolean =>
  Object.entries(sent).every(([name, value]) => isSame(old[name as keyof RemoteSetting], value))

function changesOf(
  before: readonly RemoteSetting[],
  after: readonly RemoteSetting[],
  changed: ReadonlySet<number>,
): Change[] {
  const then = new Map(before.map((item) => [item.id, item]))
  const now = new Map(after.map((item) => [item.id, item]))
  return [...changed].map((id) => ({
    action: 'remote_setting.replace',
    record_type: 'remote_setting',
    record_id: id,
    before: then.get(id),
    after: now.get(id),
  }))
}
