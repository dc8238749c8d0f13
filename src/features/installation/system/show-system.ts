import type { App } from '../../../app.ts'
import { VERSION } from '../../../kernel/version.ts'
import type { StoreContext } from '../../../store-context.ts'
import { checkParts, partOfReport } from './check-parts.ts'
import * as q from './queries.ts'
import type { SystemInfo } from './schema.ts'

/** Returns the versions of the installation, and the state of each part. */
export async function showSystem(app: App, context: StoreContext): Promise<SystemInfo> {
  const { server, schema } = await q.selectVersion(app.db)
  const parts = await checkParts(app)
  const reports = await Promise.all(app.parts.map((report) => report(context)))
  return {
    version: VERSION,
    node: process.versions.node,
    postgres: server,
    is_embedded: app.config.databaseUrl === undefined,
    schema_version: schema,
    parts: [...parts, ...reports.flat().map((report) => partOfReport(app, report))],
  }
}
