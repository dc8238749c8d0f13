import { defineConfig } from 'vitest/config'
import config, { SYSTEM } from './vitest.config.ts'

export default defineConfig({
  test: {
    ...config.test,
    include: SYSTEM.map((item) => item.replace('/**', '/**/*.test.ts')),
    exclude: [],
    provide: { durable: true },
  },
})
