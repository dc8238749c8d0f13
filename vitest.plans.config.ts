import { defineConfig } from 'vitest/config'
import config, { PLANS } from './vitest.config.ts'

/** The cost of lists among 100,000 records, on a PostgreSQL server: `npm run test:plans`. */
export default defineConfig({
  test: { ...config.test, include: [PLANS], exclude: [] },
})
