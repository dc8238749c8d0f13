import { expect, test } from 'vitest'
import {
  evaluateLicense,
  isOlder,
  type LicenseFacts,
  type LicenseRequest,
  OUTCOMES,
  type Outcome,
  sameParts,
} from './evaluate-license.rules.ts'

/** A valid license on a registered device. */
const good = (): { facts: LicenseFacts; request: LicenseRequest } => ({
  facts: {
    app: {
      status: 'active',
      min_version: null,
      allowed_checksums: [],
      device_policy: { required: true, match: 'exact', key_required: false },
    },
    key: {
      status: 'active',
      max_devices: null,
      devices_count: 0,
      max_sessions: null,
      live_sessions: 0,
    },
    device: { banned: false, same_key: true, same_parts: true },
    banned: false,
  },
  request: { start: true, has_device: true, app_version: '1.0', app_checksum: undefined },
})
type Case = ReturnType<typeof good>
type KeyStatus = NonNullable<LicenseFacts['key']>['status']

const keyIs =
  (status: KeyStatus) =>
  ({ facts }: Case): void => {
    if (facts.key) facts.key.status = status
  }

/** A change that causes each outcome that can occur together with others. */
const CAUSES: Partial<Record<Outcome, (example: Case) => void>> = {
  NOT_FOUND: ({ facts }) => {
    facts.key = undefined
  },
  APP_DISABLED: ({ facts }) => {
    facts.app.status = 'disabled'
  },
  APP_VERSION_UNSUPPORTED: ({ facts }) => {
    facts.app.min_version = '2.0'
  },
  CHECKSUM_MISMATCH: ({ facts }) => {
    facts.app.allowed_checksums = ['a'.repeat(64)]
  },
  BANNED: keyIs('banned'),
  DEVICE_BANNED: ({ facts }) => {
    facts.banned = true
  },
  SUSPENDED: keyIs('suspended'),
  EXPIRED: keyIs('expired'),
  DEVICE_KEY_MISMATCH: ({ facts }) => {
    if (facts.device) facts.device.same_key = false
  },
  DEVICE_MISMATCH: ({ facts }) => {
    if (facts.device) facts.device.same_parts = false
  },
  SESSION_LIMIT_REACHED: ({ facts }) => {
    if (facts.key) Object.assign(facts.key, { max_sessions: 1, live_sessions: 1 })
  },
}
/** A key has exactly one status, so these outcomes never occur together. */
const STATUSES = new Set<Outcome>(['BANNED', 'SUSPENDED', 'EXPIRED'])

const causes = OUTCOMES.flatMap((outcome) => {
  const cause = CAUSES[outcome]
  return cause ? [[outcome, cause] as const] : []
})

test.each(causes)('%s is answered for its cause alone', (outcome, cause) => {
  const example = good()
  expect(evaluateLicense(example.facts, example.request)).toBe('VALID')
  cause(example)
  expect(evaluateLicense(example.facts, example.request)).toBe(outcome)
})

test('the outcome of higher precedence is answered if two apply', () => {
  for (const [at, [first, cause]] of causes.entries()) {
    for (const [second, other] of causes.slice(at + 1)) {
      if (STATUSES.has(first) && STATUSES.has(second)) continue
      const example = good()
      other(example)
      cause(example)
      expect([first, second, evaluateLicense(example.facts, example.request)]).toEqual([
        first,
        second,
        first,
      ])
    }
  }
})

test('validation checks neither the version of the program nor the session limit', () => {
  for (const outcome of ['APP_VERSION_UNSUPPORTED', 'CHECKSUM_MISMATCH', 'SESSION_LIMIT_REACHED']) {
    const example = good()
    CAUSES[outcome as Outcome]?.(example)
    expect(evaluateLicense(example.facts, { ...example.request, start: false })).toBe('VALID')
  }
})

test.each<[string | undefined, string, boolean]>([
  [undefined, '0', true],
  ['1.9', '1.10', true],
  ['1.10', '1.9', false],
  ['1.10', '1.10', false],
  ['1', '1.0.0', false],
  ['1.0.0', '1', false],
  ['1', '1.0.1', true],
  ['2', '1.9.9.9', false],
])('a version %s, compared with %s, is older: %s', (version, min, older) => {
  expect(isOlder(version, min)).toBe(older)
})

const FOUR = { disk: 'd', board: 'b', cpu: 'c', net: 'n' }
const changed = (count: number) =>
  Object.fromEntries(
    Object.entries(FOUR).map(([name, part], at) => [name, at < count ? 'x' : part]),
  )

test.each<[Parameters<typeof sameParts>[0], boolean[]]>([
  ['exact', [true, true, true, true, true]],
  ['most', [true, true, false, false, false]],
  ['two', [true, true, true, false, false]],
  ['any', [true, true, true, true, false]],
])('%s: 0 to 4 of four components have changed', (match, expected) => {
  expect([0, 1, 2, 3, 4].map((count) => sameParts(match, FOUR, changed(count)))).toEqual(expected)
})

test('a device with one component must keep it, and a device without any always matches', () => {
  for (const match of ['most', 'two', 'any'] as const) {
    expect([match, sameParts(match, { disk: 'd' }, { ...FOUR, disk: 'd' })]).toEqual([match, true])
    expect([match, sameParts(match, { disk: 'd' }, { ...FOUR, disk: 'e' })]).toEqual([match, false])
    expect([match, sameParts(match, { disk: 'd' }, {})]).toEqual([match, false])
    expect([match, sameParts(match, {}, FOUR)]).toEqual([match, true])
  }
})
