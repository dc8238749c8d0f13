import type { App } from '../../../app.ts'
import { VERSION } from '../../../kernel/version.ts'
import { checkConnections } from './check-connections.ts'
import { selectVersion } from './queries.ts'
import type { SystemInfo } from './schema.ts'

/** Returns the versions of the installation, and the state of each connection. */
export async function showSystem(app: App): Promise<SystemInfo> {
  const { server, schema } = await selectVersion(app.db)
  return {
    version: VERSION,
    node: process.versions.node,
    postgres: server,
    is_embedded: app.config.databaseUrl === undefined,
    schema_version: schema,
    connections: await checkConnections(app),
  }
}
