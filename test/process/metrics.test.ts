import { readFile } from 'node:fs/promises'
import { expect, test, vi } from 'vitest'
import { freshDatabase, openPostgres, postgresOrSkip, settingsFor } from './real-postgres.ts'
import { createMigratedInstallation, type Running } from './spawn-server.ts'

const ANY_PORT = { TRADEPOST_METRICS_ADDRESS: '127.0.0.1:0' }
const WAIT = { timeout: 60_000 }

const metricsOf = async (running: Running) => {
  const url = /^ {2}Metrics {4}(http\S+)$/m.exec(running.stdout())?.[1]
  return (await fetch(url ?? '')).text()
}

test('start prints the address of /metrics, and the public address answers 404 for /metrics', async () => {
  const installation = await createMigratedInstallation(ANY_PORT)
  try {
    const server = await installation.start()
    await vi.waitFor(async () => {
      expect(await metricsOf(server)).toContain('tradepost_db_statements_total')
    }, WAIT)
    expect((await fetch(`${server.origin}/metrics`)).status).toBe(404)
    server.signal('SIGTERM')
    expect(await server.ended).toBe(0)
  } finally {
    await installation.close()
  }
})

test('a worker also serves /metrics', async (context) => {
  const database = await freshDatabase(postgresOrSkip(context, await openPostgres()))
  const installation = await createMigratedInstallation({
    ...ANY_PORT,
    ...settingsFor(database.url),
    TRADEPOST_ROLE: 'worker',
  })
  try {
    const worker = installation.spawn(['start'])
    await vi.waitFor(() => readFile(installation.readyFile), { timeout: 120_000 })
    await vi.waitFor(async () => {
      const text = await metricsOf(worker)
      expect(text).toContain('tradepost_webhook_queue_depth')
      expect(text).toMatch(
        /^tradepost_job_runs_total\{job="sweep-incoming",result="succeeded"\} 1$/m,
      )
      expect(text).toMatch(/^tradepost_db_connections_max 10$/m)
    }, WAIT)
    worker.signal('SIGTERM')
    expect(await worker.ended).toBe(0)
  } finally {
    await installation.close()
    await database.drop()
  }
})
