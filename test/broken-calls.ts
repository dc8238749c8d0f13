import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { expectNoFindings } from './findings.ts'
import type { Json, Tradepost } from './harness.ts'

/** More than any call sends. */
const STATEMENTS_MAX = 80

interface BrokenCall {
  path: string
  body?: Json
  /** Reads everything that the call can change. */
  readState: () => Promise<unknown>
  /** The call must send more statements than this. */
  minStatements: number
}

/**
 * Repeats a call with one idempotency key until it succeeds; the n-th statement of its n-th attempt
 * fails. A failed attempt changes nothing, and the call takes effect once.
 */
export async function expectAllOrNothing(tradepost: Tradepost, call: BrokenCall): Promise<void> {
  const { path, body, readState, minStatements } = call
  const withKey = { headers: { 'idempotency-key': randomUUID() } }
  const before = await readState()
  let attempt = await tradepost.failing(1, () => tradepost.post(path, body, withKey))
  let attempts = 1
  for (; attempt.failed && attempts <= STATEMENTS_MAX; attempts++) {
    expect(attempt.answer.status, `statement ${attempts}`).toBeGreaterThanOrEqual(500)
    expect(await readState(), `statement ${attempts}`).toEqual(before)
    attempt = await tradepost.failing(attempts + 1, () => tradepost.post(path, body, withKey))
  }
  const { text, status } = attempt.answer
  expect(attempt.failed).toBe(false)
  expect(status, text).toBeLessThan(300)
  expect(attempts - 1).toBeGreaterThan(minStatements)
  const after = await readState()
  expect(after).not.toEqual(before)

  const repeatedCall = await tradepost.post(path, body, withKey)
  expect([repeatedCall.status, repeatedCall.text]).toEqual([status, text])
  expect(await readState()).toEqual(after)
  await expectNoFindings(tradepost)
}
