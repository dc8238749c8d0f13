import { createHash } from 'node:crypto'
import { selectSettingsOfApp } from '../settings/index.ts'
import { maySee } from './access.rules.ts'
import type { Call, LiveSession } from './call.ts'
import { selectConfigVersion } from './queries/config.ts'

export interface ReadSettings {
  settings: Record<string, unknown>
  config_version: number
}

/** R9: all settings that this caller may see, and a tag that is another one when any of them is. */
export async function readSettings(
  { context, app }: Call,
  session: LiveSession | undefined,
): Promise<ReadSettings & { etag: string }> {
  const { db, store } = context
  // The version first: settings that are newer than it are fetched once more, and never missed.
  const config_version =
    session?.row.config_version ?? (await selectConfigVersion(db, store.id, app.id))
  const visible = (await selectSettingsOfApp(db, store.id, app.id)).filter(
    (setting) => setting.status === 'active' && maySee(setting, session?.row),
  )
  const settings = Object.fromEntries(visible.map(({ key, value }) => [key, value]))
  const digest = createHash('sha256').update(JSON.stringify(settings)).digest('base64url')
  return { settings, config_version, etag: `"${config_version}-${digest.slice(0, 16)}"` }
}
