import { expect, test } from 'vitest'
import {
  componentsMatch,
  evaluateLicense,
  isOlder,
  type LicenseFacts,
  type LicenseOutcome,
  type LicenseRequest,
  OUTCOMES,
} from './evaluate-license.rules.ts'

/** A valid license on a registered device. */
const validCase = (): { facts: LicenseFacts; request: LicenseRequest } => ({
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
    device: { banned: false, key_matches: true, components_match: true },
    banned: false,
  },
  request: { startsSession: true, has_device: true, app_version: '1.0', app_checksum: undefined },
})
type Case = ReturnType<typeof validCase>
type KeyStatus = NonNullable<LicenseFacts['key']>['status']

const keyIs =
  (status: KeyStatus) =>
  ({ facts }: Case): void => {
    if (facts.key) facts.key.status = status
  }

/** The change that causes each outcome, for the outcomes that can occur together with others. */
const CAUSES: Partial<Record<LicenseOutcome, (example: Case) => void>> = {
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
    if (facts.device) facts.device.key_matches = false
  },
  DEVICE_MISMATCH: ({ facts }) => {
    if (facts.device) facts.device.components_match = false
  },
  SESSION_LIMIT_REACHED: ({ facts }) => {
    if (facts.key) Object.assign(facts.key, { max_sessions: 1, live_sessions: 1 })
  },
}
/** A key has exactly one status, so these outcomes never occur together. */
const KEY_STATUS_OUTCOMES = new Set<LicenseOutcome>(['BANNED', 'SUSPENDED', 'EXPIRED'])

const causes = OUTCOMES.flatMap((outcome) => {
  const cause = CAUSES[outcome]
  return cause ? [[outcome, cause] as const] : []
})

test.each(causes)('the outcome is %s if only its cause applies', (outcome, cause) => {
  const example = validCase()
  expect(evaluateLicense(example.facts, example.request)).toBe('VALID')
  cause(example)
  expect(evaluateLicense(example.facts, example.request)).toBe(outcome)
})

test('the outcome of higher precedence is answered if two causes apply', () => {
  for (const [index, [first, firstCause]] of causes.entries()) {
    for (const [second, secondCause] of causes.slice(index + 1)) {
      if (KEY_STATUS_OUTCOMES.has(first) && KEY_STATUS_OUTCOMES.has(second)) continue
      const example = validCase()
      secondCause(example)
      firstCause(example)
      expect([first, second, evaluateLicense(example.facts, example.request)]).toEqual([
        first,
        second,
        first,
      ])
    }
  }
})

test('a validation checks neither the version and checksum of the program nor the session limit', () => {
  for (const outcome of ['APP_VERSION_UNSUPPORTED', 'CHECKSUM_MISMATCH', 'SESSION_LIMIT_REACHED']) {
    const example = validCase()
    CAUSES[outcome as LicenseOutcome]?.(example)
    expect(evaluateLicense(example.facts, { ...example.request, startsSession: false })).toBe(
      'VALID',
    )
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
])('the version %s is older than %s: %s', (version, min, older) => {
  expect(isOlder(version, min)).toBe(older)
})

const FOUR_COMPONENTS = { disk: 'd', board: 'b', cpu: 'c', net: 'n' }
const changed = (count: number) =>
  Object.fromEntries(
    Object.entries(FOUR_COMPONENTS).map(([name, part], index) => [
      name,
      index < count ? 'x' : part,
    ]),
  )

test.each<[Parameters<typeof componentsMatch>[0], boolean[]]>([
  ['exact', [true, true, true, true, true]],
  ['most', [true, true, false, false, false]],
  ['two', [true, true, true, false, false]],
  ['any', [true, true, true, true, false]],
])(
  'with the policy %s, a device of which 0 to 4 of four components changed matches: %j',
  (match, expected) => {
    expect(
      [0, 1, 2, 3, 4].map((count) => componentsMatch(match, FOUR_COMPONENTS, changed(count))),
    ).toEqual(expected)
  },
)

test('a device with one component must keep it, and a device without components always matches', () => {
  for (const match of ['most', 'two', 'any'] as const) {
    expect([
      match,
      componentsMatch(match, { disk: 'd' }, { ...FOUR_COMPONENTS, disk: 'd' }),
    ]).toEqual([match, true])
    expect([
      match,
      componentsMatch(match, { disk: 'd' }, { ...FOUR_COMPONENTS, disk: 'e' }),
    ]).toEqual([match, false])
    expect([match, componentsMatch(match, { disk: 'd' }, {})]).toEqual([match, false])
    expect([match, componentsMatch(match, {}, FOUR_COMPONENTS)]).toEqual([match, true])
  }
})
