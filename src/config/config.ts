import { join, resolve } from 'node:path'
import { isRange } from '../kernel/net.ts'

export const ROLES = ['all', 'api', 'worker'] as const
export type Role = (typeof ROLES)[number]

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']
const NOT_YET = ['TRADEPOST_REDIS_URL', 'TRADEPOST_SMTP_URL', 'TRADEPOST_S3_BUCKET']
const LOOPBACK = ['127.0.0.1', 'localhost', '::1']

/** What the process is told from outside, checked once and then fixed. */
export interface Config {
  port: number
  host: string
  /** Without a slash at its end. */
  publicUrl: string
  databaseUrl: string | undefined
  dataDir: string
  role: Role
  /** 32 bytes each; none given means the file in `dataDir`. */
  secretsKeys: readonly Buffer[]
  readyFile: string
  trustedProxies: readonly string[]
  dbPool: number
  webhookAllowedHosts: readonly string[]
  /** Whether the operator named them; a demo on loopback allows its own machine otherwise. */
  webhookAllowedHostsGiven: boolean
  logLevel: string
  /** Variables that are set and that this version does not use yet; the log says so. */
  unused: readonly string[]
}

type Environment = Record<string, string | undefined>
export type Checked = { config: Config } | { faults: string[] }

/** Reads the environment (running.md, "Environment"). Says every fault at once, each with its cure. */
export function readConfig(env: Environment): Checked {
  const faults: string[] = []
  const text = (name: string) => env[name]?.trim() || undefined
  const list = (name: string) => (text(name) ?? '').split(',').map((one) => one.trim()).filter(Boolean)
  const fault = (name: string, cure: string) => {
    faults.push(`${name}: ${cure}`)
    return undefined
  }

  function integer(name: string, from: number, to: number, fallback: number): number {
    const given = text(name)
    if (given === undefined) return fallback
    const value = /^\d+$/.test(given) ? Number(given) : Number.NaN
    if (value >= from && value <= to) return value
    fault(name, `write a whole number from ${from} to ${to}, not "${given}".`)
    return fallback
  }

  function oneOf<T extends string>(name: string, values: readonly T[], fallback: T): T {
    const given = text(name)
    const value = given === undefined ? fallback : values.find((one) => one === given)
    if (value) return value
    fault(name, `write one of ${values.join(', ')}, not "${given}".`)
    return fallback
  }

  function url(name: string, protocols: readonly string[], example: string): string | undefined {
    const given = text(name)
    if (given === undefined) return undefined
    if (URL.canParse(given) && protocols.includes(new URL(given).protocol)) return given
    return fault(name, `write an address such as ${example}.`)
  }

  const port = integer('PORT', 0, 65_535, 4100)
  const host = text('HOST') ?? '127.0.0.1'
  const dataDir = resolve(text('DATA_DIR') ?? './data')
  const proxies = list('TRADEPOST_TRUSTED_PROXIES')
  for (const range of proxies.filter((one) => !isRange(one))) {
    fault('TRADEPOST_TRUSTED_PROXIES', `"${range}" is no address or CIDR such as 10.0.0.0/8.`)
  }
  const publicUrl = url('TRADEPOST_PUBLIC_URL', ['http:', 'https:'], 'https://shop.example.com')
  const databaseUrl = url(
    'DATABASE_URL',
    ['postgres:', 'postgresql:'],
    'postgres://user:password@host:5432/database',
  )
  const config: Config = {
    port,
    host,
    publicUrl: (publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`).replace(/\/+$/, ''),
    databaseUrl,
    dataDir,
    role: oneOf('TRADEPOST_ROLE', ROLES, 'all'),
    secretsKeys: secretsKeys(list('TRADEPOST_SECRETS_KEY'), fault),
    readyFile: resolve(text('TRADEPOST_READY_FILE') ?? join(dataDir, 'ready.json')),
    trustedProxies: proxies,
    dbPool: integer('TRADEPOST_DB_POOL', 2, 1_000, 10),
    webhookAllowedHosts: list('TRADEPOST_WEBHOOK_ALLOWED_HOSTS').map((host) => host.toLowerCase()),
    webhookAllowedHostsGiven: text('TRADEPOST_WEBHOOK_ALLOWED_HOSTS') !== undefined,
    logLevel: oneOf('LOG_LEVEL', LOG_LEVELS, 'info'),
    unused: NOT_YET.filter((name) => text(name)),
  }
  if (config.role !== 'all' && !databaseUrl) {
    fault('TRADEPOST_ROLE', `"${config.role}" needs DATABASE_URL: an embedded database serves one process.`)
  }
  return faults.length > 0 ? { faults } : { config: Object.freeze(config) }
}

function secretsKeys(given: string[], fault: (name: string, cure: string) => void): Buffer[] {
  const keys = given.map((text) => Buffer.from(text, 'base64'))
  if (keys.every((key) => key.length === 32)) return keys
  fault('TRADEPOST_SECRETS_KEY', 'write the base64 of 32 bytes, as `openssl rand -base64 32` makes it.')
  return []
}

/** A demo on the own machine may deliver webhooks to it (running.md, "Commands in a checkout"). */
export function allowedHosts(config: Config, demo: boolean): ReadonlySet<string> {
  const local = demo && LOOPBACK.includes(config.host) && !config.webhookAllowedHostsGiven
  return new Set(local ? ['127.0.0.1', 'localhost'] : config.webhookAllowedHosts)
}
