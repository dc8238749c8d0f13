import type { Job } from '../app.ts'
import { watchCommits } from '../db/commit-watch.ts'
import { SECOND_MS } from '../kernel/time.ts'
import * as q from './queries.ts'
import type { RunnerState } from './run.ts'

/**
 * The longest time between two checks for due rows. Other processes may write to a server, and their commits
 * must be noticed within a second. Only this process writes to an embedded database.
 */
const POLL_MS = { server: 900, embedded: 5 * SECOND_MS }
/** Due times are read again after this time even without a commit, because the clock may have jumped. */
const REREAD_MS = 10 * SECOND_MS
/** Commits within this time share one check. */
const AFTER_WRITE_MS = 250
/** The pause of a job after a run that found nothing more to do, even if rows are due. */
const PAUSE_MS = 900

const CHECK = 'check for due jobs'

/** Runs each job when its rows are due. One statement reads the due times of all jobs, after a commit. */
export async function runWhenDue(run: RunnerState, jobs: readonly Job[]): Promise<void> {
  const { app } = run
  const isServer = Boolean(app.config.databaseUrl)
  const poll_ms = POLL_MS[isServer ? 'server' : 'embedded']
  const hasCommits = watchCommits(app, isServer)
  const alarm = run.newAlarm()
  app.writes.onWrite(() => alarm.wake(AFTER_WRITE_MS))
  const runningJobs = new Map<Job, Promise<void>>()
  const pausedUntil = new Map<Job, number>()

  async function runJob(job: Job): Promise<void> {
    while (!run.isStopped() && (await run.attempt(job)) === 'more');
    pausedUntil.set(job, performance.now() + PAUSE_MS)
    runningJobs.delete(job)
    rereadAt = 0
    alarm.wake(0)
  }

  /** The times at which the next job is due and is read again, by `performance.now()`. */
  let dueAt = 0
  let rereadAt = 0

  /** Starts due jobs and returns the time until the next check. Reads due times only if they may have changed. */
  async function poll(): Promise<number> {
    const hasNewCommits = await hasCommits()
    const now = performance.now()
    if (hasNewCommits || now >= Math.min(dueAt, rereadAt)) {
      // Set before the statement, because a job that ends while it runs sets `rereadAt` to 0.
      rereadAt = now + REREAD_MS
      dueAt = now + (await startDue())
      run.logSuccess(CHECK)
    }
    return Math.min(poll_ms, dueAt - performance.now())
  }

  /** Starts the due jobs that are not running. Returns the time until the next job is due. */
  async function startDue(): Promise<number> {
    const idleJobs = jobs.filter((job) => !runningJobs.has(job))
    const dueIn_ms = await q.selectTimeUntilDue(app, idleJobs)
    if (run.isStopped()) return 0
    let wait_ms = Number.POSITIVE_INFINITY
    for (const [index, job] of idleJobs.entries()) {
      app.meter.recordJobDue(job.name, dueIn_ms[index] ?? poll_ms)
      const pause_ms = (pausedUntil.get(job) ?? 0) - performance.now()
      const due_ms = Math.max(dueIn_ms[index] ?? poll_ms, pause_ms)
      if (due_ms <= 0) runningJobs.set(job, runJob(job))
      else wait_ms = Math.min(wait_ms, due_ms)
    }
    return wait_ms
  }

  while (!run.isStopped()) {
    const wait_ms = await poll().catch((error) => {
      run.logFailure(CHECK, error)
      rereadAt = 0
      return PAUSE_MS
    })
    if (!run.isStopped()) await alarm.wait(wait_ms)
  }
  await Promise.all(runningJobs.values())
}
