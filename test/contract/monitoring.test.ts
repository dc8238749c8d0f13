import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { startJobs } from '../../src/jobs/runner.ts'
import { OCCURRENCES } from '../../src/kernel/process-meter.ts'
import { order, product } from '../build.ts'
import { openTradepost, type Tradepost } from '../harness.ts'
import { until } from '../until.ts'

/** The metrics of orders, mail, jobs and the pool, and the files in docs/monitoring that name them. */

const FOLDER = fileURLToPath(new URL('../../docs/monitoring', import.meta.url))
const read = (name: string) => readFileSync(join(FOLDER, name), 'utf8')

interface Rule {
  alert: string
  expr: string
  labels: { severity: string }
  annotations: { summary: string; action: string }
}
interface Panel {
  id: number
  type: string
  title: string
  targets?: { expr: string }[]
}

const RULES: Rule[] = parse(read('alerts.yml')).groups.flatMap(
  (group: { rules: Rule[] }) => group.rules,
)

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost({
    env: { TRADEPOST_SMTP_URL: 'smtp://127.0.0.1:9?from=a@example.com' },
  })
})
afterAll(() => tradepost.close())

const page = () => tradepost.metrics.print(tradepost.app)

/** Returns the sample of a metric with its labels, such as `orders_total{state="paid"}`. */
async function sampleOf(series: string): Promise<number> {
  const line = (await page()).split('\n').find((item) => item.startsWith(`tradepost_${series} `))
  return Number(line?.split(' ').at(-1) ?? Number.NaN)
}

const FUNCTIONS = [
  ...['sum', 'max', 'rate', 'increase', 'delta', 'topk', 'histogram_quantile', 'by', 'and', 'up'],
]

/** Returns the names in an expression that are neither functions nor metrics of the page. */
function unknownNames(expression: string, metrics: Set<string>): string[] {
  const names = expression
    .replace(/\{[^}]*\}|\[[^\]]*\]|"[^"]*"/g, '')
    .replace(/\bby \([^)]*\)/g, 'by')
    .match(/[a-z_:][\w:]*/gi)
  return (names ?? []).filter((name) => !FUNCTIONS.includes(name) && !metrics.has(name))
}

/** Returns the names of series: a histogram has three. */
async function seriesNames(): Promise<Set<string>> {
  const types = [...(await page()).matchAll(/^# TYPE (\S+) (\w+)$/gm)]
  return new Set(
    types.flatMap(([, name = '', kind]) =>
      kind === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  )
}

test('the alert rules and the board name only metrics that the server prints', async () => {
  const metrics = await seriesNames()
  expect(unknownNames('sum by (job) (rate(tradepost_jobs{a="b"}[5m]))', metrics)).toEqual([
    'tradepost_jobs',
  ])
  expect(RULES.length).toBeGreaterThan(8)
  for (const { alert, expr, labels, annotations } of RULES) {
    expect(unknownNames(expr, metrics), alert).toEqual([])
    expect(['page', 'ticket'], alert).toContain(labels.severity)
    expect([annotations.summary, annotations.action], alert).not.toContain(undefined)
  }
  expect(new Set(RULES.map(({ alert }) => alert)).size).toBe(RULES.length)

  const panels: Panel[] = JSON.parse(read('grafana.json')).panels
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  for (const { type, title, targets = [] } of panels) {
    expect(targets.length > 0, title).toBe(type !== 'row')
    for (const { expr } of targets) expect(unknownNames(expr, metrics), title).toEqual([])
  }
})

test('orders are counted by the states that they enter, and those that wait are counted at each request', async () => {
  const { id } = await product(tradepost, { type: 'service' })
  const before = await sampleOf('orders_open{state="pending"}')
  await order(tradepost, id)
  await order(tradepost, id, { mark_paid: true })
  expect(await sampleOf('orders_total{state="created"}')).toBe(2)
  expect(await sampleOf('orders_total{state="paid"}')).toBe(1)
  expect(await sampleOf('orders_open{state="pending"}')).toBe(before + 1)
})

test('runs, failures and lateness of jobs are counted, and so is mail that is not accepted', async () => {
  await sql`
    insert into mail (store_id, message, template, content_enc, subject, recipient, status, due_at, created_at)
    select id, 'msg_late', 'stock_alert', null, 'Back', 'ada@example.com', 'queued',
           clock_timestamp() - interval '1 hour', now()
      from store where livemode limit 1`.execute(tradepost.db)
  expect(await sampleOf('mail_waiting')).toBeGreaterThan(0)
  expect(await sampleOf('mail_oldest_due_age_seconds')).toBeGreaterThan(3_500)
  const failing = { name: 'failing', every_ms: 10, run: () => Promise.reject(new Error('No.')) }
  const sending = tradepost.app.jobs.filter(({ name }) => name === 'send-mail')
  const jobs = startJobs({ ...tradepost.app, jobs: [failing, ...sending] })
  await until(async () => (await sampleOf('mail_attempts_total{result="queued"}')) > 0)
  await until(async () => (await sampleOf('job_runs_total{job="failing",result="failed"}')) > 1)
  await until(async () => (await sampleOf('job_late_seconds{job="send-mail"}')) === 0)
  expect(await sampleOf('job_late_seconds{job="failing"}')).toBeGreaterThan(0)
  expect(await sampleOf('job_duration_seconds_count{job="send-mail"}')).toBeGreaterThan(0)
  await jobs.stop()
})

test('every state of an order, result of a mail and event of a session is a series from the start', async () => {
  const fresh = await openTradepost()
  const text = await fresh.metrics.print(fresh.app)
  await fresh.close()
  const series = [
    ...OCCURRENCES.order.map((state) => `orders_total{state="${state}"}`),
    ...OCCURRENCES.mail.map((result) => `mail_attempts_total{result="${result}"}`),
    ...OCCURRENCES.session.map((event) => `license_sessions_total{event="${event}"}`),
  ]
  for (const name of series) expect(text).toContain(`tradepost_${name} 0\n`)
})

test('a rule counts changes of a gauge with delta, because a fall of a counter is a restart', () => {
  const gauges = RULES.filter(({ expr }) =>
    /increase\(tradepost_\w+(?<!_total|_count|_sum)[{[]/.test(expr),
  )
  expect(gauges.map(({ alert }) => alert)).toEqual([])
})
