import { defineConfig } from 'vitest/config'
import config, { PLANS } from './vitest.config.ts'

/** The cost of lists among 100,000 records, on a PostgreSQL server: `npm run test:plans`. */
export default defineConfig({
  // A busy machine needs several minutes to insert the records.
  test: { ...config.test, include: [PLANS], exclude: [], hookTimeout: 1_800_000 },
})
