import { expect } from 'vitest'
import { diagnose } from '../src/features/installation/doctor/index.ts'
import type { Tradepost } from './harness.ts'

/** Fails if `doctor` finds a fault. The databases of tests do not make commits durable. */
export async function expectNoFindings({ app }: Pick<Tradepost, 'app'>): Promise<void> {
  const { findings } = await diagnose(app)
  expect(findings.filter(({ ok, check }) => !ok && check !== 'durable_commits')).toEqual([])
}
