import type { App, Job } from '../../app.ts'

/** The running creation of a demo shop in each process, identified by its `writes`. */
const creations = new WeakMap<App['writes'], Promise<unknown>>()

/** Runs the creation of a demo shop. Pausable jobs of this process wait until it has ended. */
export async function whileJobsPause<T>(app: App, work: () => Promise<T>): Promise<T> {
  const creation = work()
  const creationEnd = creation.catch(() => {})
  creations.set(app.writes, creationEnd)
  try {
    return await creation
  } finally {
    if (creations.get(app.writes) === creationEnd) creations.delete(app.writes)
  }
}

/**
 * Returns a job that pauses while a demo shop is created. The creation itself runs the work that was due in the
 * past, each item at its due time.
 */
export const pauseWhileCreating = (job: Job): Job => ({
  ...job,
  async run(app) {
    await creations.get(app.writes)
    return job.run(app)
  },
})
