import { defineConfig } from 'vitest/config'
import config, { SYSTEM } from './vitest.config.ts'

export default defineConfig({
  test: {
    ...config.test,
    include: SYSTEM.map((item) => item.replace('/**', '/**/*.test.ts')),
    exclude: [],
    // Processes that are started, and time limits that must pass, leave the cores idle in between.
    maxWorkers: 3,
    provide: { durable: true },
  },
})
