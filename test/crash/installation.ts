import { expect, type TestContext } from 'vitest'
import type { Json } from '../harness.ts'
import {
  freshDatabase,
  openPostgres,
  postgresOrSkip,
  settingsFor,
} from '../process/real-postgres.ts'
import type { Installation, Server, Side } from '../process/spawn-server.ts'

/** KILLS=20 runs the long form, which also waits for leases to expire. */
export const LONG = process.env.KILLS !== undefined

/** Runs the work with the environment of a new database on a database server. */
export async function onDatabaseServer(
  context: TestContext,
  work: (env: Record<string, string>) => Promise<void>,
): Promise<void> {
  const database = await freshDatabase(postgresOrSkip(context, await openPostgres()))
  await work(settingsFor(database.url))
  await database.drop()
}

/** Creates an API key without a rate limit, by default for the live side. */
export async function unlimitedKey(
  installation: Installation,
  { live }: Server,
  side: Side = live,
): Promise<string> {
  const options = ['--store', side.id, '--permissions', 'all', '--rate-limit', '0', '--json']
  const { code, stdout, stderr } = await installation.run(['keys', 'create', ...options])
  if (code !== 0) throw new Error(stderr)
  return JSON.parse(stdout).key
}

/** Returns the failed checks of `tradepost doctor`. */
export async function failedChecks(installation: Installation): Promise<Json[]> {
  const { code, stdout, stderr } = await installation.run(['doctor', '--json'])
  expect(stderr).toBe('')
  const { findings } = JSON.parse(stdout)
  expect(code === 0).toBe(findings.every(({ ok }: Json) => ok))
  return findings.filter(({ ok }: Json) => !ok)
}
