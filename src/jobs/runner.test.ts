import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { openTestDatabase } from '../../test/database.ts'
import { stays } from '../../test/until.ts'
import type { App, Job } from '../app.ts'
import type { Db } from '../db/database.ts'
import { createWrites } from '../db/writes.ts'
import { NO_PROCESS_METER } from '../kernel/process-meter.ts'
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
    meter: NO_PROCESS_METER,
  }) as unknown as App

/** Creates a job that is due with the rows of job_row, and records the times of its runs. */
function createDueJob(run: () => Promise<boolean> = async () => false) {
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
const insertRow = async (delay_ms: number) => {
  await sql`insert into job_row values (clock_timestamp() + ${delay_ms} * interval '1 ms')`.execute(
    db,
  )
  writes.record()
}

test('a stop waits at most 10 seconds for a running job, and starts no other job', async () => {
  vi.useFakeTimers()
  let runs = 0
  const endlessJob = { name: 'endless', every_ms: 1, run: () => new Promise<boolean>(() => runs++) }
  const idleJob = {
    name: 'idle',
    every_ms: SECOND_MS,
    run: async () => {
      runs++
      return false
    },
  }
  const jobs = startJobs(appOf([endlessJob, idleJob]))
  await vi.advanceTimersByTimeAsync(1)
  let isStopped = false
  const stopping = jobs.stop().then(() => {
    isStopped = true
  })
  await vi.advanceTimersByTimeAsync(10 * SECOND_MS - 1)
  expect(isStopped).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  await stopping
  expect(runs).toBe(2)
})

test('a stop waits for work that a job has started and not waited for', async () => {
  let endWork = () => {}
  const work = new Promise<void>((resolve) => {
    endWork = resolve
  })
  const { job } = createDueJob(deleteDue)
  const jobs = startJobs(appOf([{ ...job, finish: () => work }]))
  let isStopped = false
  const stopping = jobs.stop().then(() => {
    isStopped = true
  })
  await stays(() => !isStopped, 100)
  endWork()
  await stopping
})

test('a job whose row is due later does not run when another job is due', async () => {
  const dueLater = createDueJob()
  const dueNow = createDueJob()
  await insertRow(MINUTE_MS)
  const jobs = startJobs(
    appOf([dueLater.job, { ...dueNow.job, name: 'now', due: sql`to_timestamp(0)` }]),
  )
  await vi.waitFor(() => expect(dueNow.runs.length).toBeGreaterThan(0), { timeout: 30_000 })
  await jobs.stop()
  expect(dueLater.runs).toEqual([])
})

test('a commit of this process wakes a job whose row is due, long before the next poll', async () => {
  const { job, runs } = createDueJob(deleteDue)
  const jobs = startJobs(appOf([job]))
  await insertRow(0)
  await vi.waitFor(() => expect(runs).toHaveLength(1), { timeout: 30_000 })
  await jobs.stop()
})

test('a job runs again at once after a run that reports further due rows', async () => {
  let remainingRuns = 3
  const { job, runs } = createDueJob(async () => {
    if (--remainingRuns > 0) return true
    return deleteDue()
  })
  await insertRow(0)
  const jobs = startJobs(appOf([job]))
  await vi.waitFor(() => expect(runs).toHaveLength(3), { timeout: 30_000 })
  await jobs.stop()
})

test('a job whose rows stay due pauses between two runs', async () => {
  const { job, runs } = createDueJob()
  await insertRow(0)
  const jobs = startJobs(appOf([job]))
  await vi.waitFor(() => expect(runs.length).toBeGreaterThan(2), { timeout: 30_000 })
  await jobs.stop()
  const gaps = runs.slice(1).map((startedAt, index) => startedAt - (runs[index] ?? 0))
  expect(Math.min(...gaps)).toBeGreaterThan(850)
})

test('a job that fails runs again, and others run meanwhile', async () => {
  const failingJob = createDueJob(async () => {
    throw new Error('This job fails in a test.')
  })
  const otherJob = createDueJob()
  await insertRow(0)
  const jobs = startJobs(appOf([failingJob.job, { ...otherJob.job, name: 'other' }]))
  await vi.waitFor(() => expect(failingJob.runs.length).toBeGreaterThan(1), { timeout: 30_000 })
  await jobs.stop()
  expect(otherJob.runs.length).toBeGreaterThan(0)
})

test('a job that fails again and again is logged once, and once when it succeeds again', async () => {
  const lines: Record<string, unknown>[] = []
  const log = pino(
    { level: 'info' },
    { write: (line: string) => void lines.push(JSON.parse(line)) },
  )
  let fails = true
  const { job, runs } = createDueJob(async () => {
    if (fails) throw Object.assign(new Error('The disk is full.'), { code: '53100' })
    return deleteDue()
  })
  await insertRow(0)
  const jobs = startJobs({ ...appOf([job]), log })
  await vi.waitFor(() => expect(runs.length).toBeGreaterThan(2), { timeout: 30_000 })
  expect(lines).toMatchObject([{ job: 'due', msg: 'Job failed' }])
  fails = false
  await vi.waitFor(() => expect(lines).toHaveLength(2), { timeout: 30_000 })
  await jobs.stop()
  expect(lines[1]).toMatchObject({ job: 'due', msg: 'Job succeeded again' })
})

test('due times are not read again at each poll if nothing was committed', async () => {
  await sql`create sequence job_reads`.execute(db)
  const countReads = async () => {
    const { rows } = await sql<{ n: number }>`
      select case when is_called then last_value else 0 end::int as n from job_reads`.execute(db)
    return rows[0]?.n
  }
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const dueExpression = sql`(select min(due_at) from job_row where nextval('job_reads') > 0)`
  const job = { ...createDueJob().job, due: dueExpression }
  await insertRow(60 * MINUTE_MS)
  const runner = startJobs(appOf([job]))
  await vi.waitFor(async () => expect(await countReads()).toBe(1))
  await vi.advanceTimersByTimeAsync(6 * SECOND_MS)
  expect(await countReads()).toBe(1)
  await insertRow(60 * MINUTE_MS)
  await vi.advanceTimersByTimeAsync(SECOND_MS)
  await vi.waitFor(async () => expect(await countReads()).toBeGreaterThan(1))
  const stopping = runner.stop()
  await vi.advanceTimersByTimeAsync(SECOND_MS)
  await stopping
})
