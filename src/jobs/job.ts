import type { App } from '../app.ts'

/** Background work, as data: a sweep over rows that are due. */
export interface Job {
  name: string
  every_ms: number
  /** True where more is due, so that the next run follows at once. */
  run(app: App): Promise<boolean>
}
