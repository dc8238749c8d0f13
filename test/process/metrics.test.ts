import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { expect, test, vi } from 'vitest'
import { closePostgres, freshDatabase, openPostgres, postgresOrSkip } from './real-postgres.ts'
import { createMigratedInstallation, type Running } from './spawn-server.ts'

const ANY = { TRADEPOST_METRICS_ADDRESS: '127.0.0.1:0' }

const metricsOf = async (running: Running) => {
  const url = /^ {2}Metrics {4}(http\S+)$/m.exec(running.stdout())?.[1]
  return (await fetch(url ?? '')).text()
}

test('a start prints the address of metrics, and the public address has none (decision 210)', async () => {
  const installation = await createMigratedInstallation(ANY)
  try {
    const server = await installation.start()
    await vi.waitFor(async () => {
      expect(await metricsOf(server)).toContain('tradepost_db_statements_total')
    })
    expect((await fetch(`${server.origin}/metrics`)).status).toBe(404)
    server.signal('SIGTERM')
    expect(await server.ended).toBe(0)
  } finally {
    await installation.close()
  }
})

test('a worker serves metrics too (decision 210)', { timeout: 300_000 }, async (context) => {
  const postgres = await openPostgres()
  try {
    const database = await freshDatabase(postgresOrSkip(context, postgres))
    const installation = await createMigratedInstallation({
      ...ANY,
      DATABASE_URL: database.url,
      TRADEPOST_SECRETS_KEY: randomBytes(32).toString('base64'),
      TRADEPOST_ROLE: 'worker',
    })
    try {
      const worker = installation.spawn(['start'])
      await vi.waitFor(() => readFile(installation.readyFile), { timeout: 120_000 })
      await vi.waitFor(async () => {
        expect(await metricsOf(worker)).toContain('tradepost_webhook_queue_depth')
      })
      worker.signal('SIGTERM')
      expect(await worker.ended).toBe(0)
    } finally {
      await installation.close()
      await database.drop()
    }
  } finally {
    await closePostgres(postgres)
  }
})
