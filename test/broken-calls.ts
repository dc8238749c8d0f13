import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { diagnose } from '../src/features/installation/doctor/index.ts'
import type { Json, Tradepost } from './harness.ts'

/** More statements than any call sends. */
const STATEMENTS_MAX = 80

interface Broken {
  path: string
  body?: Json
  /** Everything that the call may change. */
  state: () => Promise<unknown>
  /** The call sends more statements than this. */
  least: number
}

/**
 * Makes a call with one idempotency key until it succeeds, while the n-th statement of its n-th try fails. A
 * broken try changes nothing, and the call is done once, however often it is repeated.
 */
export async function expectAllOrNothing(tradepost: Tradepost, broken: Broken): Promise<void> {
  const { path, body, state, least } = broken
  const key = { headers: { 'idempotency-key': randomUUID() } }
  const before = await state()
  let answer = await tradepost.failing(1, () => tradepost.post(path, body, key))
  let tries = 1
  for (; answer.failed && tries <= STATEMENTS_MAX; tries++) {
    expect(answer.answer.status, `statement ${tries}`).toBeGreaterThanOrEqual(500)
    expect(await state(), `statement ${tries}`).toEqual(before)
    answer = await tradepost.failing(tries + 1, () => tradepost.post(path, body, key))
  }
  const { text, status } = answer.answer
  expect(answer.failed).toBe(false)
  expect(status, text).toBeLessThan(300)
  expect(tries - 1).toBeGreaterThan(least)
  const after = await state()
  expect(after).not.toEqual(before)

  const again = await tradepost.post(path, body, key)
  expect([again.status, again.text]).toEqual([status, text])
  expect(await state()).toEqual(after)
  const { findings } = await diagnose(tradepost.app)
  expect(findings.filter(({ ok, check }) => !ok && check !== 'durable_commits')).toEqual([])
}
