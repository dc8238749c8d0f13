import { defineConfig } from 'vitest/config'
import config, { SYSTEM } from './vitest.config.ts'

export default defineConfig({
  test: {
    ...config.test,
    include: SYSTEM.map((item) => item.replace('/**', '/**/*.test.ts')),
    exclude: [],
    // Programs start and stop; the tests mostly wait for them.
    maxWorkers: 3,
    provide: { isDurable: true },
    // They end a test that hangs. Programs on a busy machine take as long as they need.
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
  },
})
