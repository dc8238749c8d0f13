import { join, resolve } from 'node:path'
import { isRange } from '../kernel/net.ts'
import { SECOND_MS } from '../kernel/time.ts'
import { KEY_BYTES } from '../kernel/vault.ts'

const ROLES = ['all', 'api', 'worker'] as const
export type Role = (typeof ROLES)[number]

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']
const ALLOWED_HOSTS = 'TRADEPOST_WEBHOOK_ALLOWED_HOSTS'
/** A name or an address, without a port. */
const HOST_NAME = /^(?![^:]+:\d+$)[a-z0-9._:[\]-]+$/
const DATABASE_EXAMPLE = 'postgres://user:password@host:5432/database'
const MAX_FILE_BYTES = 100 * 1024 * 1024
/** The largest object that S3 accepts in one PUT, which is how files are sent. */
const MAX_FILE_BYTES_MAX = 5 * 1024 ** 3
const CONNECTIONS_MAX = 1_000_000
const LOOPBACK = ['127.0.0.1', 'localhost', '::1']

/** A bucket of an S3-compatible store; without an endpoint, Amazon's. */
export interface S3Config {
  bucket: string
  region: string
  /** Without a trailing slash. */
  endpoint: string | undefined
  accessKeyId: string
  secretAccessKey: string
}

/** The settings of the process, validated once and then frozen. */
export interface Config {
  port: number
  host: string
  /** Without a trailing slash. */
  publicUrl: string
  databaseUrl: string | undefined
  /** The Redis that shares rate limits between processes; undefined: each process counts alone. */
  redisUrl: string | undefined
  dataDir: string
  role: Role
  /** 32 bytes each; if empty, the key file in `dataDir` is used. */
  secretsKeys: readonly Buffer[]
  readyFile: string
  trustedProxies: readonly string[]
  dbPool: number
  /** The timeout for opening the embedded database (decision 130). */
  startTimeout_ms: number
  /** The limit of sockets from one address; 0 means no limit (decision 121). */
  maxConnectionsPerAddress: number
  /** The address of the metrics page; undefined if off. */
  metricsAddress: { host: string; port: number } | undefined
  /** The largest server-side file of the Client Security API. */
  maxFileBytes: number
  webhookAllowedHosts: ReadonlySet<string>
  /** True if the operator set them; otherwise a demo on loopback allows its own machine. */
  webhookAllowedHostsGiven: boolean
  /** The bucket for files; undefined: files are in `dataDir`. */
  s3: S3Config | undefined
  /** The mail server and sender; undefined: mail is kept and not sent. */
  smtp: SmtpConfig | undefined
  logLevel: string
}

/**
 * `implicit`: TLS from the first byte (`smtps:`). `required`: STARTTLS. `offered`: STARTTLS if the
 * server has it. `off`: never.
 */
export type SmtpTls = 'implicit' | 'required' | 'offered' | 'off'

export interface SmtpConfig {
  url: string
  from: string
  tls: SmtpTls
}

type Environment = Record<string, string | undefined>
export type Checked = { config: Config } | { faults: string[] }

/** Reads the environment. Reports all errors at once, each with what to write instead. */
export function readConfig(env: Environment): Checked {
  const read = createReader(env)
  const port = read.integer('PORT', [0, 65_535], 4100)
  // An IPv6 address needs brackets only before a port.
  const host = (read.text('HOST') ?? '127.0.0.1').replace(/^\[(.*)\]$/, '$1')
  const dataDir = resolve(read.text('DATA_DIR') ?? './data')
  const origin = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  const config: Config = {
    port,
    host,
    publicUrl: publicUrl(read) ?? origin,
    databaseUrl: read.url('DATABASE_URL', ['postgres:', 'postgresql:'], DATABASE_EXAMPLE),
    redisUrl: redisUrl(read),
    dataDir,
    role: read.oneOf('TRADEPOST_ROLE', ROLES, 'all'),
    secretsKeys: secretsKeys(read),
    readyFile: resolve(read.text('TRADEPOST_READY_FILE') ?? join(dataDir, 'ready.json')),
    trustedProxies: proxies(read),
    dbPool: read.integer('TRADEPOST_DB_POOL', [2, 1_000], 10),
    startTimeout_ms: read.integer('TRADEPOST_START_TIMEOUT', [1, 86_400], 120) * SECOND_MS,
    maxConnectionsPerAddress: read.integer(
      'TRADEPOST_MAX_CONNECTIONS_PER_ADDRESS',
      [0, CONNECTIONS_MAX],
      256,
    ),
    metricsAddress: metricsAddress(read),
    maxFileBytes: read.integer('TRADEPOST_MAX_FILE_BYTES', [1, MAX_FILE_BYTES_MAX], MAX_FILE_BYTES),
    webhookAllowedHosts: hosts(read),
    webhookAllowedHostsGiven: read.text(ALLOWED_HOSTS) !== undefined,
    s3: s3(read),
    smtp: smtp(read),
    logLevel: read.oneOf('LOG_LEVEL', LOG_LEVELS, 'info'),
  }
  if (config.role !== 'all' && !config.databaseUrl) {
    const why = 'needs DATABASE_URL: an embedded database serves one process.'
    read.fault('TRADEPOST_ROLE', `"${config.role}" ${why}`)
  }
  return read.faults.length > 0 ? { faults: read.faults } : { config: Object.freeze(config) }
}

type Reader = ReturnType<typeof createReader>

/** Reads single variables; errors are collected in `faults`. */
function createReader(env: Environment) {
  const faults: string[] = []
  const text = (name: string) => env[name]?.trim() || undefined
  const fault = (name: string, message: string) => void faults.push(`${name}: ${message}`)

  return {
    faults,
    text,
    fault,
    list: (name: string) =>
      (text(name) ?? '')
        .split(',')
        .map((item) => item.trim())
        .filter(Boolean),

    integer(name: string, [from, to]: [number, number], fallback: number): number {
      const input = text(name) ?? String(fallback)
      const value = /^\d+$/.test(input) ? Number(input) : Number.NaN
      if (value >= from && value <= to) return value
      fault(name, `write a whole number from ${from} to ${to}, not "${input}".`)
      return fallback
    },

    oneOf<T extends string>(name: string, values: readonly T[], fallback: T): T {
      const input = text(name) ?? fallback
      const value = values.find((item) => item === input)
      if (value === undefined) fault(name, `write one of ${values.join(', ')}, not "${input}".`)
      return value ?? fallback
    },

    url(name: string, protocols: readonly string[], example: string): string | undefined {
      const input = text(name)
      if (input === undefined) return undefined
      if (URL.canParse(input) && protocols.includes(new URL(input).protocol)) return input
      fault(name, `write an address such as ${example}.`)
      return undefined
    },
  }
}

/** The public URL, to which paths are appended. */
function publicUrl(read: Reader): string | undefined {
  const name = 'TRADEPOST_PUBLIC_URL'
  const input = read.url(name, ['http:', 'https:'], 'https://shop.example.com')
  if (input === undefined) return undefined
  const { username, password, search, hash } = new URL(input)
  if (username || password || search || hash) {
    read.fault(name, 'write an address without a user, ? or #, such as https://shop.example.com.')
  }
  return input.replace(/\/+$/, '')
}

/** `redis://user:password@host:port/database`; `rediss:` encrypts. Valkey uses the same URLs. */
function redisUrl(read: Reader): string | undefined {
  const name = 'TRADEPOST_REDIS_URL'
  const url = read.url(name, ['redis:', 'rediss:'], 'redis://user:password@host:6379/0')
  if (url === undefined) return undefined
  const { hostname, username, password, pathname, search, hash } = new URL(url)
  if (decoded(username) === undefined || decoded(password) === undefined) {
    read.fault(name, 'write % in a user or password as %25.')
  }
  if (!hostname || !/^\/?\d{0,5}$/.test(pathname) || search || hash) {
    read.fault(name, 'write a host, a port and a database number, such as redis://host:6379/0.')
  }
  return url
}

function hosts(read: Reader): Set<string> {
  const input = read.list(ALLOWED_HOSTS).map((item) => item.toLowerCase())
  for (const host of input.filter((item) => !HOST_NAME.test(item))) {
    read.fault(
      ALLOWED_HOSTS,
      `"${host}" is no host such as localhost: write no http:// and no port.`,
    )
  }
  return new Set(input)
}

function proxies(read: Reader): string[] {
  const ranges = read.list('TRADEPOST_TRUSTED_PROXIES')
  for (const range of ranges.filter((item) => !isRange(item))) {
    read.fault('TRADEPOST_TRUSTED_PROXIES', `"${range}" is no address or CIDR such as 10.0.0.0/8.`)
  }
  return ranges
}

const METRICS_ADDRESS = 'TRADEPOST_METRICS_ADDRESS'

/** `host:port`, with an IPv6 address in brackets. Port 0 means any free port. */
function metricsAddress(read: Reader): Config['metricsAddress'] {
  const input = read.text(METRICS_ADDRESS) ?? '127.0.0.1:4101'
  if (input === 'off') return undefined
  const [, bracketed, name, digits] =
    /^(?:\[([0-9a-f:.]+)\]|([^:[\]/@\s]+)):(\d{1,5})$/i.exec(input) ?? []
  const host = bracketed ?? name
  const port = Number(digits)
  if (host && port <= 65_535) return { host, port }
  read.fault(METRICS_ADDRESS, `write host:port, such as 127.0.0.1:4101, or off, not "${input}".`)
  return undefined
}

function secretsKeys(read: Reader): Buffer[] {
  const name = 'TRADEPOST_SECRETS_KEY'
  const keys = read.list(name).map((text) => Buffer.from(text, 'base64'))
  const input = keys.length > 0 || read.text(name) === undefined
  if (input && keys.every((key) => key.length === KEY_BYTES)) return keys
  read.fault(name, 'write the base64 of 32 bytes, as `openssl rand -base64 32` prints it.')
  return []
}

function s3(read: Reader): S3Config | undefined {
  const input = (name: string) => read.text(`TRADEPOST_S3_${name}`)
  const names = ['BUCKET', 'ACCESS_KEY_ID', 'SECRET_ACCESS_KEY'] as const
  const endpoint = read.url('TRADEPOST_S3_ENDPOINT', ['http:', 'https:'], 'https://s3.example.com')
  if (![...names, 'ENDPOINT', 'REGION'].some(input)) return undefined
  for (const name of names.filter((item) => !input(item))) {
    read.fault(`TRADEPOST_S3_${name}`, 'set it together with the other TRADEPOST_S3_ variables.')
  }
  const [bucket = '', accessKeyId = '', secretAccessKey = ''] = names.map(input)
  if (bucket && !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) {
    read.fault('TRADEPOST_S3_BUCKET', 'write 3 to 63 of a to z, 0 to 9, dots and hyphens.')
  }
  return {
    bucket,
    region: input('REGION') ?? 'us-east-1',
    endpoint: endpoint?.replace(/\/+$/, ''),
    accessKeyId,
    secretAccessKey,
  }
}

/** `?from=` sets the sender if the user of the mail server is not an address. */
function smtp(read: Reader): Config['smtp'] {
  const name = 'TRADEPOST_SMTP_URL'
  const example = 'smtp://user:password@mail.example.com:587?from=shop@example.com'
  const url = read.url(name, ['smtp:', 'smtps:'], example)
  if (url === undefined) return undefined
  const { hostname, username, password, searchParams } = new URL(url)
  const user = decoded(username)
  if (user === undefined || decoded(password) === undefined) {
    read.fault(name, 'write % in a user or password as %25.')
    return undefined
  }
  const from = searchParams.get('from') ?? (user.includes('@') ? user : `shop@${hostname}`)
  if (!/^[^\s@<>]+@[^\s@<>]+$/.test(from)) {
    read.fault(name, 'write the sender of mail, such as ?from=shop@example.com.')
  }
  return { url, from, tls: smtpTls(read, new URL(url)) }
}

/**
 * Encrypted, unless the server is on this machine or the operator sets `?tls=off` (decision 128).
 */
function smtpTls(read: Reader, { protocol, hostname, searchParams }: URL): SmtpTls {
  const implicit = protocol === 'smtps:'
  const input = searchParams.get('tls')
  if (input === 'required' || input === null) {
    if (implicit) return 'implicit'
    return input === null && isLoopback(hostname) ? 'offered' : 'required'
  }
  if (input !== 'off') {
    read.fault('TRADEPOST_SMTP_URL', 'write tls=off or tls=required, or leave tls out.')
  } else if (implicit) {
    read.fault(
      'TRADEPOST_SMTP_URL',
      'smtps: is always encrypted; leave out tls=off, or write smtp:.',
    )
  }
  return 'off'
}

const isLoopback = (hostname: string): boolean =>
  /^(localhost|\[::1\]|127(\.\d{1,3}){3})$/i.test(hostname)

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}

/** A demo that listens on loopback may deliver webhooks to this machine. */
export function allowedHosts(config: Config, demo: boolean): ReadonlySet<string> {
  const local = demo && LOOPBACK.includes(config.host) && !config.webhookAllowedHostsGiven
  return local ? new Set(['127.0.0.1', 'localhost']) : config.webhookAllowedHosts
}
