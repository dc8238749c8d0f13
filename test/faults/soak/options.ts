import { parseArgs } from 'node:util'
import { FAULT_NAMES } from './faults.ts'

const DATABASES = ['embedded', 'server'] as const
export type DatabaseKind = (typeof DATABASES)[number]

export interface SoakOptions {
  /** The time under load and faults, for all databases together. Starts and checks take additional time. */
  load_ms: number
  databases: readonly DatabaseKind[]
  faults: readonly string[]
}

export const USAGE =
  'npm run soak -- [--minutes 20 | --seconds 75] [--database embedded|server|both] [--fault NAME]...'
const MINUTES_DEFAULT = 20
const LOAD_MAX_MS = 24 * 3_600_000

/** Reads the command line. @throws {TypeError} if an option is unknown or out of range. */
export function readOptions(args: string[]): SoakOptions {
  const { values } = parseArgs({
    args,
    options: {
      minutes: { type: 'string' },
      seconds: { type: 'string' },
      database: { type: 'string', default: 'both' },
      fault: { type: 'string', multiple: true },
    },
  })
  const seconds = Number(values.seconds ?? Number(values.minutes ?? MINUTES_DEFAULT) * 60)
  const load_ms = seconds * 1_000
  if (!(load_ms >= 10_000 && load_ms <= LOAD_MAX_MS)) {
    throw new TypeError('The soak takes 10 seconds to 24 hours: set --minutes or --seconds.')
  }
  const databases = DATABASES.filter((kind) => [kind, 'both'].includes(values.database))
  if (databases.length === 0) throw new TypeError('--database is embedded, server or both.')
  const faults = values.fault ?? FAULT_NAMES
  if (!faults.every((name) => FAULT_NAMES.includes(name))) {
    throw new TypeError(`--fault is one of: ${FAULT_NAMES.join(', ')}.`)
  }
  return { load_ms, databases, faults }
}
