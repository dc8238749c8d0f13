import type { App, Job } from '../../app.ts'

/** Demo shops that are being made, by the process that makes them. */
const making = new WeakMap<App['writes'], Promise<unknown>>()

/** Lets held jobs of this process wait until the work ends. */
export async function holding<T>(app: App, work: () => Promise<T>): Promise<T> {
  const running = work()
  const ended = running.catch(() => {})
  making.set(app.writes, ended)
  try {
    return await running
  } finally {
    if (making.get(app.writes) === ended) making.delete(app.writes)
  }
}

/**
 * The job, waiting while a demo store is made: due work of the past happens there at its own
 * moment, not now (decision 315).
 */
export const heldWhileMaking = (job: Job): Job => ({
  ...job,
  async run(app) {
    await making.get(app.writes)
    return job.run(app)
  },
})
