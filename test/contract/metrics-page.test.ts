import { pino } from 'pino'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Config } from '../../src/config/config.ts'
import { openMetricsPage } from '../../src/surfaces/metrics-page.ts'
import { openTradepost, type Tradepost } from '../harness.ts'

// The metrics have a separate address.

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

async function open(metricsAddress: Config['metricsAddress']) {
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
  const config = { ...tradepost.app.config, metricsAddress }
  const page = await openMetricsPage({ ...tradepost.app, config, log }, tradepost.metrics)
  if (page) onTestFinished(() => page.close())
  return { page, warnings: lines.map((line) => JSON.parse(line)) }
}

const ANY_PORT = { host: '127.0.0.1', port: 0 }

test('the metrics page answers at its own address only', async () => {
  const { page } = await open(ANY_PORT)
  const url = page?.url ?? ''
  const answer = await fetch(url)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toContain('text/plain')
  expect(await answer.text()).toContain('tradepost_webhook_oldest_due_age_seconds')
  expect((await fetch(url, { method: 'HEAD' })).status).toBe(200)
  expect((await fetch(url, { method: 'POST' })).status).toBe(405)
  for (const path of ['/', '/v1/account', '/healthz']) {
    expect((await fetch(new URL(path, url))).status).toBe(404)
  }
})

test('a metrics address that is in use is logged as a warning, and the process starts', async () => {
  const { page } = await open(ANY_PORT)
  const port = Number(new URL(page?.url ?? '').port)
  const second = await open({ host: '127.0.0.1', port })
  expect(second.page).toBeUndefined()
  expect(second.warnings).toMatchObject([
    {
      level: 40,
      port,
      reason: 'EADDRINUSE',
      msg: expect.stringContaining('TRADEPOST_METRICS_ADDRESS'),
    },
  ])
})

test('the server opens no port for metrics if they are disabled', async () => {
  expect(await open(undefined)).toEqual({ page: undefined, warnings: [] })
})
