import { defineConfig } from 'vitest/config'
import config from './vitest.config.ts'

/** Pages in Chromium, which has to be installed: `npm run test:browser`. */
export default defineConfig({
  test: {
    ...config.test,
    include: ['test/browser/**/*.test.ts'],
    exclude: [],
  },
})
