import type { App } from '../app.ts'

/** Background work, as data: a sweep over rows that are due. */
export interface Job {
  name: string
  every_ms: number
  /** Returns true if more rows are due; the next run then follows at once. */
  run(app: App): Promise<boolean>
}
