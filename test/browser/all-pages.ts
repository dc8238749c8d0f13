import { createBuildingPages } from './building-pages.ts'
import type { OpenedDashboard } from './dashboard-harness.ts'
import { PAGES } from './selling-pages.ts'
import { createSellingRecords } from './selling-records.ts'

/** Creates a record of each kind, and returns the paths of all pages of the store. */
export async function createAllPages(dashboard: OpenedDashboard): Promise<string[]> {
  const ids = await createSellingRecords(dashboard)
  const { pages } = await createBuildingPages(dashboard)
  const withIds = (path: string) => path.replace(/\$(\w+)/g, (_, name) => String(ids[name]))
  return [...PAGES.map(({ path }) => withIds(path)), ...pages.map(({ path }) => path)]
}
