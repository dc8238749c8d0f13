import { defineConfig } from 'vitest/config'
import config, { PLANS } from './vitest.config.ts'

/** What lists cost among 100,000 records, on a PostgreSQL server: `npm run test:plans`. */
export default defineConfig({
  test: { ...config.test, include: [PLANS], exclude: [] },
})
