import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import config from './vitest.config.ts'

/**
 * The files that take the longest, the longest first. Begun at the end, one of them would run alone. Vitest
 * knows durations only from an earlier run.
 */
const LONGEST = [
  'selling-states',
  'building-states',
  'selling-conflicts',
  'states',
  'selling-actions',
  'build',
  'products',
  'kept-changes',
].map((name) => `dashboard-${name}.test.ts`)

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const index = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}`))
      return index === -1 ? LONGEST.length : index
    }
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}

/** Pages in Chromium, which has to be installed: `npm run test:browser`. */
export default defineConfig({
  test: {
    ...config.test,
    include: ['test/browser/**/*.test.ts'],
    exclude: [],
    globalSetup: ['test/browser/global-setup.ts'],
    sequence: { sequencer: LongestFirst },
    // A test walks up to fifty pages, in states that each load them again.
    testTimeout: 1_800_000,
    // It ends a test that hangs, as the timeout of Playwright in the harness does.
    expect: { poll: { timeout: 180_000 } },
  },
})
