import { createHash } from 'node:crypto'
import { selectSettingsOfApp } from '../settings/index.ts'
import { isVisible } from './access.rules.ts'
import type { Call, LiveSession } from './call.ts'
import { selectConfigVersion } from './queries/config.ts'

export interface ReadSettings {
  settings: Record<string, unknown>
  config_version: number
}

/** R9: returns all settings that this caller may read, and an ETag of their content. */
export async function readSettings(
  { context, app }: Call,
  session: LiveSession | undefined,
): Promise<ReadSettings & { etag: string }> {
  const { db, store } = context
  // Reads the version first: a concurrent change is then fetched once too often, and never missed.
  const config_version =
    session?.row.config_version ?? (await selectConfigVersion(db, store.id, app.id))
  const visible = (await selectSettingsOfApp(db, store.id, app.id)).filter(
    (setting) => setting.status === 'active' && isVisible(setting, session?.row),
  )
  const settings = Object.fromEntries(visible.map(({ key, value }) => [key, value]))
  const digest = createHash('sha256').update(JSON.stringify(settings)).digest('base64url')
  return { settings, config_version, etag: `"${config_version}-${digest.slice(0, 16)}"` }
}
