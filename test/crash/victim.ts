import { randomBytes } from 'node:crypto'
import { expect, type TestContext } from 'vitest'
import type { Json } from '../harness.ts'
import type { Target } from '../process/client.ts'
import {
  closePostgres,
  freshDatabase,
  openPostgres,
  postgresOrSkip,
} from '../process/real-postgres.ts'
import type { Installation, Server } from '../process/spawn-server.ts'

/** A server that a test kills, and the caller's way to it. */

/** KILLS=20 is the long form: it also waits for leases to run out by themselves. */
export const LONG = process.env.KILLS !== undefined

/** Runs the work with the settings of a new database on a server. */
export async function onServer(
  context: TestContext,
  work: (env: Record<string, string>) => Promise<void>,
): Promise<void> {
  const opened = await openPostgres()
  try {
    const database = await freshDatabase(postgresOrSkip(context, opened))
    await work({
      DATABASE_URL: database.url,
      TRADEPOST_SECRETS_KEY: randomBytes(32).toString('base64'),
    })
    await database.drop()
  } finally {
    await closePostgres(opened)
  }
}

export const targetOf = ({ origin, live }: Server, key: string): Target => ({
  origin,
  store: live.id,
  key,
})

export async function unlimitedKey(installation: Installation, { live }: Server): Promise<string> {
  const options = ['--store', live.id, '--permissions', 'all', '--rate-limit', '0', '--json']
  const { code, stdout, stderr } = await installation.run(['keys', 'create', ...options])
  if (code !== 0) throw new Error(stderr)
  return JSON.parse(stdout).key
}

/** Returns the failed checks of the running server's own sweep. */
export async function doctorSays(installation: Installation): Promise<Json[]> {
  const { code, stdout, stderr } = await installation.run(['doctor', '--json'])
  expect(stderr).toBe('')
  const { findings } = JSON.parse(stdout)
  expect(code === 0).toBe(findings.every(({ ok }: Json) => ok))
  return findings.filter(({ ok }: Json) => !ok)
}
