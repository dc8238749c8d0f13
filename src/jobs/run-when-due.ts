import type { Job } from '../app.ts'
import { watchCommits } from '../db/commit-watch.ts'
import { SECOND_MS } from '../kernel/time.ts'
import { selectDue } from './queries.ts'
import type { Run } from './run.ts'

/**
 * The longest time between two looks for due rows. Other processes may write to a server, and no commit
 * of theirs may be noticed more than a second late. Only this process writes to an embedded database.
 */
const LOOK_MS = { server: 900, embedded: 5 * SECOND_MS }
/** Due times are read again after this time even if nothing was committed: the clock may have jumped. */
const REREAD_MS = 10 * SECOND_MS
/** Commits within this time share a look. */
const AFTER_WRITE_MS = 250
/** A job that found nothing more to do rests, even if its rows are still due. */
const REST_MS = 900

/** Runs each job when its rows are due. One statement reads the due times of all jobs, after a commit. */
export async function runWhenDue(run: Run, jobs: readonly Job[]): Promise<void> {
  const { app } = run
  const isServer = Boolean(app.config.databaseUrl)
  const look_ms = LOOK_MS[isServer ? 'server' : 'embedded']
  const hasCommits = watchCommits(app, isServer)
  const alarm = run.alarm()
  app.writes.onWrite(() => alarm.ring(AFTER_WRITE_MS))
  const running = new Map<Job, Promise<void>>()
  const restsUntil = new Map<Job, number>()

  async function work(job: Job): Promise<void> {
    while (!run.isStopped() && (await run.attempt(job)));
    restsUntil.set(job, performance.now() + REST_MS)
    running.delete(job)
    rereadAt = 0
    alarm.ring(0)
  }

  /** When the next job is due, and when that is read again, by `performance.now()`. */
  let dueAt = 0
  let rereadAt = 0

  /** Returns the time until the next look; reads when jobs are due only if that may have changed. */
  async function look(): Promise<number> {
    const changed = await hasCommits()
    const now = performance.now()
    if (changed || now >= Math.min(dueAt, rereadAt)) {
      // Set first: a job that ends while the statement runs sets it to 0.
      rereadAt = now + REREAD_MS
      dueAt = now + (await startDue())
    }
    return Math.min(look_ms, dueAt - performance.now())
  }

  /** Starts the due jobs that do not run, and returns the time until the next is due. */
  async function startDue(): Promise<number> {
    const idle = jobs.filter((job) => !running.has(job))
    const dueIn_ms = await selectDue(app, idle)
    if (run.isStopped()) return 0
    let wait_ms = Number.POSITIVE_INFINITY
    for (const [at, job] of idle.entries()) {
      const rest_ms = (restsUntil.get(job) ?? 0) - performance.now()
      const due_ms = Math.max(dueIn_ms[at] ?? look_ms, rest_ms)
      if (due_ms <= 0) running.set(job, work(job))
      else wait_ms = Math.min(wait_ms, due_ms)
    }
    return wait_ms
  }

  while (!run.isStopped()) {
    const wait_ms = await look().catch((error) => {
      run.failed('look for due jobs', error)
      rereadAt = 0
      return REST_MS
    })
    if (!run.isStopped()) await alarm.wait(wait_ms)
  }
  await Promise.all(running.values())
}
