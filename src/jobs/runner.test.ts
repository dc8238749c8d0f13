import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { openTestDatabase } from '../../test/database.ts'
import type { App, Job } from '../app.ts'
import type { Db } from '../db/database.ts'
import { createWrites } from '../db/writes.ts'
import { MINUTE_MS, SECOND_MS } from '../kernel/time.ts'
import { startJobs } from './runner.ts'

let db: Db
let close: () => Promise<void>

beforeAll(async () => {
  ;({ db, close } = await openTestDatabase())
  await sql`create table job_row (due_at timestamptz not null)`.execute(db)
})
afterAll(() => close())
beforeEach(async () => {
  await sql`delete from job_row`.execute(db)
})
afterEach(() => void vi.useRealTimers())

const writes = createWrites()
const appOf = (jobs: readonly Job[]) =>
  ({
    log: pino({ level: 'silent' }),
    db,
    writes,
    clock: { now: () => Date.now() },
    config: {},
    jobs,
  }) as unknown as App

/** Deletes due rows, and counts its runs. */
function dueJob(run: () => Promise<boolean> = async () => false) {
  const runs: number[] = []
  const job: Job = {
    name: 'due',
    due: sql`(select min(due_at) from job_row)`,
    async run() {
      runs.push(performance.now())
      return run()
    },
  }
  return { job, runs }
}

const deleteDue = async () => {
  await sql`delete from job_row where due_at <= clock_timestamp()`.execute(db)
  return false
}
const insert = async (in_ms: number) => {
  await sql`insert into job_row values (clock_timestamp() + ${in_ms} * interval '1 ms')`.execute(db)
  writes.record()
}

test('stop waits for a running job, at most 10 seconds, and starts no other', async () => {
  vi.useFakeTimers()
  let runs = 0
  const endless = { name: 'endless', every_ms: 1, run: () => new Promise<boolean>(() => runs++) }
  const idle = {
    name: 'idle',
    every_ms: SECOND_MS,
    run: async () => {
      runs++
      return false
    },
  }
  const jobs = startJobs(appOf([endless, idle]))
  await vi.advanceTimersByTimeAsync(1)
  let stopped = false
  const stop = jobs.stop().then(() => {
    stopped = true
  })
  await vi.advanceTimersByTimeAsync(10 * SECOND_MS - 1)
  expect(stopped).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  await stop
  expect(runs).toBe(2)
})

test('a job whose row is due later does not run with one that is due now', async () => {
  const later = dueJob()
  const now = dueJob()
  await insert(MINUTE_MS)
  const jobs = startJobs(appOf([later.job, { ...now.job, name: 'now', due: sql`to_timestamp(0)` }]))
  await vi.waitFor(() => expect(now.runs.length).toBeGreaterThan(0), { timeout: 30_000 })
  await jobs.stop()
  expect(later.runs).toEqual([])
})

test('a commit of this process wakes a job whose row is due, long before the next look', async () => {
  const { job, runs } = dueJob(deleteDue)
  const jobs = startJobs(appOf([job]))
  await insert(0)
  await vi.waitFor(() => expect(runs).toHaveLength(1), { timeout: 30_000 })
  await jobs.stop()
})

test('a job runs again at once while it says that more is due', async () => {
  let left = 3
  const { job, runs } = dueJob(async () => {
    if (--left > 0) return true
    return deleteDue()
  })
  await insert(0)
  const jobs = startJobs(appOf([job]))
  await vi.waitFor(() => expect(runs).toHaveLength(3), { timeout: 30_000 })
  await jobs.stop()
})

test('a job whose rows stay due rests between two runs', async () => {
  const { job, runs } = dueJob()
  await insert(0)
  const jobs = startJobs(appOf([job]))
  await vi.waitFor(() => expect(runs.length).toBeGreaterThan(2), { timeout: 30_000 })
  await jobs.stop()
  const gaps = runs.slice(1).map((at, index) => at - (runs[index] ?? 0))
  expect(Math.min(...gaps)).toBeGreaterThan(850)
})

test('a job that fails runs again, and others run meanwhile', async () => {
  const failing = dueJob(async () => {
    throw new Error('This job fails in a test.')
  })
  const other = dueJob()
  await insert(0)
  const jobs = startJobs(appOf([failing.job, { ...other.job, name: 'other' }]))
  await vi.waitFor(() => expect(failing.runs.length).toBeGreaterThan(1), { timeout: 30_000 })
  await jobs.stop()
  expect(other.runs.length).toBeGreaterThan(0)
})

test('where nothing was committed, the due times are not read again at each look', async () => {
  await sql`create sequence job_reads`.execute(db)
  const reads = async () => {
    const { rows } = await sql<{ n: number }>`
      select case when is_called then last_value else 0 end::int as n from job_reads`.execute(db)
    return rows[0]?.n
  }
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const due = sql`(select min(due_at) from job_row where nextval('job_reads') > 0)`
  const job = { ...dueJob().job, due }
  await insert(60 * MINUTE_MS)
  const runner = startJobs(appOf([job]))
  await vi.waitFor(async () => expect(await reads()).toBe(1))
  await vi.advanceTimersByTimeAsync(6 * SECOND_MS)
  expect(await reads()).toBe(1)
  await insert(60 * MINUTE_MS)
  await vi.advanceTimersByTimeAsync(SECOND_MS)
  await vi.waitFor(async () => expect(await reads()).toBeGreaterThan(1))
  const stopped = runner.stop()
  await vi.advanceTimersByTimeAsync(SECOND_MS)
  await stopped
})
