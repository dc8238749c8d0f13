import { createHash } from 'node:crypto'
import { selectSettingsOfApp } from '../settings/index.ts'
import { isVisible } from './access.rules.ts'
import type { LiveSession, ProgramCall } from './call.ts'
import * as q from './queries/index.ts'

/** Returns all settings that this caller may read, and an ETag of their content. */
export async function readSettings(
  { context, app, countRead }: ProgramCall,
  session: LiveSession | undefined,
): Promise<{ settings: Record<string, unknown>; config_version: number; etag: string }> {
  const { db, store } = context
  countRead('settings', app.id, session?.row)
  // The version is read before the settings. After a concurrent change, the program may fetch the settings
  // once too often, but it never misses the change.
  const config_version =
    session?.row.config_version ?? (await q.selectConfigVersion(db, store.id, app.id))
  const visibleSettings = (await selectSettingsOfApp(db, store.id, app.id)).filter(
    (setting) => setting.status === 'active' && isVisible(setting, session?.row),
  )
  const settings = Object.fromEntries(visibleSettings.map(({ key, value }) => [key, value]))
  const digest = createHash('sha256').update(JSON.stringify(settings)).digest('base64url')
  return { settings, config_version, etag: `"${config_version}-${digest.slice(0, 16)}"` }
}
