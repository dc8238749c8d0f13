import { expect, test } from 'vitest'
import { base32, codeAt, matchingStep, stepAt } from './totp.ts'

const SECRET = Buffer.from('12345678901234567890')

test.each([
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
])('at %i s the code is that of RFC 6238, appendix B', (time_s, code) => {
  expect(codeAt(SECRET, stepAt(time_s * 1_000), 8)).toBe(code)
})

test('a code is accepted for one step before and after, and only once', () => {
  const now = 1_234_567_890_000
  const step = stepAt(now)
  const codeWithDrift = (drift: number) => codeAt(SECRET, step + drift)
  expect(
    [-1, 0, 1].map((drift) => matchingStep(SECRET, codeWithDrift(drift), { now, lastStep: 0 })),
  ).toEqual([step - 1, step, step + 1])
  expect(matchingStep(SECRET, codeWithDrift(2), { now, lastStep: 0 })).toBeUndefined()
  expect(matchingStep(SECRET, codeWithDrift(0), { now, lastStep: step })).toBeUndefined()
})

test('base32 is encoded as in RFC 4648, without padding', () => {
  expect(['f', 'fo', 'foo', 'foobar'].map((text) => base32(Buffer.from(text)))).toEqual([
    'MY',
    'MZXQ',
    'MZXW6',
    'MZXW6YTBOI',
  ])
})
