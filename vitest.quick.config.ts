import { defineConfig } from 'vitest/config'
import config from './vitest.config.ts'

/** The rules, the parts below the features, and the sale of a product: `npm run test:quick`. */
export default defineConfig({
  test: {
    ...config.test,
    include: [
      'src/**/*.rules.test.ts',
      'src/{config,events,jobs,kernel,network}/**/*.test.ts',
      'src/features/store/{orders,stock,coupons}/*.test.ts',
      'test/contract/{envelope,openapi,addresses}.test.ts',
    ],
  },
})
