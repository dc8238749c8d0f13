import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { isLoopbackName, isRange } from '../kernel/net.ts'
import type { S3Bucket } from '../kernel/s3-bucket.ts'
import { SECOND_MS } from '../kernel/time.ts'
import { KEY_BYTES } from '../kernel/vault.ts'
import { decodePart, readSmtp, type SmtpConfig } from './mail-config.ts'

const ROLES = ['all', 'api', 'worker'] as const
type ProcessRole = (typeof ROLES)[number]

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']
const ALLOWED_HOSTS = 'TRADEPOST_WEBHOOK_ALLOWED_HOSTS'
/** A host name or an IP address, without a port. */
const HOST_NAME = /^(?![^:]+:\d+$)[a-z0-9._:[\]-]+$/
/** Matches a name of this machine. A name that cannot be resolved fails when the server listens. */
const LISTEN_NAME = /^[a-z0-9._-]+$/i
const DATABASE_EXAMPLE = 'postgres://user:password@host:5432/database'
const FILE_BYTES_DEFAULT = 100 * 1024 * 1024
/** The largest file that S3 accepts in one PUT. The storage sends each file in one PUT. */
const FILE_BYTES_MAX = 5 * 1024 ** 3
const CONNECTIONS_MAX = 1_000_000
const PORT_MAX = 65_535
const LOOPBACK_HOSTS = ['127.0.0.1', 'localhost', '::1']

/** The settings of the process, validated once and then frozen. */
export interface Config {
  port: number
  host: string
  /** Without a trailing slash. */
  publicUrl: string
  databaseUrl: string | undefined
  /** The Redis server for shared rate limits. If undefined, each process counts alone. */
  redisUrl: string | undefined
  dataDir: string
  role: ProcessRole
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
  /** True if the operator set the hosts. Otherwise a demo on loopback allows its own machine. */
  areAllowedHostsSet: boolean
  /** The bucket for files. If undefined, files are in `dataDir`. */
  s3: S3Bucket | undefined
  /** The API of the payment provider Stripe, without a path. */
  stripeUrl: string
  /** The mail server and sender. If undefined, mail is stored and not sent. */
  smtp: SmtpConfig | undefined
  logLevel: string
}

type Environment = Record<string, string | undefined>
type ConfigResult = { config: Config } | { faults: string[] }

/** The loopback addresses that replace wildcard hosts in the public URL, because browsers cannot open those. */
const LOOPBACK_OF: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** Reads the settings from the environment, or returns a message for each faulty variable. */
export function readConfig(env: Environment): ConfigResult {
  const reader = createReader(env)
  const port = reader.integer('PORT', [0, PORT_MAX], 4100)
  const host = readListenHost(reader)
  const dataDir = resolve(reader.text('DATA_DIR') ?? './data')
  const publicHost = LOOPBACK_OF[host] ?? host
  const origin = `http://${publicHost.includes(':') ? `[${publicHost}]` : publicHost}:${port}`
  const config: Config = {
    port,
    host,
    publicUrl: readPublicUrl(reader) ?? origin,
    databaseUrl: reader.url('DATABASE_URL', ['postgres:', 'postgresql:'], DATABASE_EXAMPLE),
    redisUrl: readRedisUrl(reader),
    dataDir,
    role: reader.oneOf('TRADEPOST_ROLE', ROLES, 'all'),
    secretsKeys: readSecretsKeys(reader),
    readyFile: resolve(reader.text('TRADEPOST_READY_FILE') ?? join(dataDir, 'ready.json')),
    trustedProxies: readProxies(reader),
    dbPool: reader.integer('TRADEPOST_DB_POOL', [2, 1_000], 10),
    startTimeout_ms: reader.integer('TRADEPOST_START_TIMEOUT', [1, 86_400], 120) * SECOND_MS,
    maxConnectionsPerAddress: reader.integer(
      'TRADEPOST_MAX_CONNECTIONS_PER_ADDRESS',
      [0, CONNECTIONS_MAX],
      256,
    ),
    metricsAddress: readMetricsAddress(reader),
    maxFileBytes: reader.integer(
      'TRADEPOST_MAX_FILE_BYTES',
      [1, FILE_BYTES_MAX],
      FILE_BYTES_DEFAULT,
    ),
    webhookAllowedHosts: readHosts(reader),
    areAllowedHostsSet: reader.text(ALLOWED_HOSTS) !== undefined,
    s3: readS3(reader),
    stripeUrl: readStripeUrl(reader),
    smtp: readSmtp(reader),
    logLevel: reader.oneOf('LOG_LEVEL', LOG_LEVELS, 'info'),
  }
  if (config.role !== 'all' && !config.databaseUrl) {
    reader.addFault(
      'TRADEPOST_ROLE',
      `"${config.role}" needs DATABASE_URL, because an embedded database serves one process. Set both.`,
    )
  }
  return reader.faults.length > 0 ? { faults: reader.faults } : { config: Object.freeze(config) }
}

type EnvironmentReader = ReturnType<typeof createReader>

/** Returns readers of single variables, which collect errors in `faults`. */
function createReader(env: Environment) {
  const faults: string[] = []
  const text = (name: string) => env[name]?.trim() || undefined
  const addFault = (name: string, message: string) => void faults.push(`${name}: ${message}`)

  return {
    faults,
    text,
    addFault,
    list: (name: string) =>
      (text(name) ?? '')
        .split(',')
        .map((item) => item.trim())
        .filter(Boolean),

    integer(name: string, [from, to]: [number, number], fallback: number): number {
      const input = text(name) ?? String(fallback)
      const value = /^\d+$/.test(input) ? Number(input) : Number.NaN
      if (value >= from && value <= to) return value
      addFault(name, `write a whole number from ${from} to ${to}, not "${input}".`)
      return fallback
    },

    oneOf<T extends string>(name: string, values: readonly T[], fallback: T): T {
      const input = text(name) ?? fallback
      const value = values.find((item) => item === input)
      if (value === undefined) addFault(name, `write one of ${values.join(', ')}, not "${input}".`)
      return value ?? fallback
    },

    url(name: string, protocols: readonly string[], example: string): string | undefined {
      const input = text(name)
      if (input === undefined) return undefined
      if (URL.canParse(input) && protocols.includes(new URL(input).protocol)) return input
      addFault(name, `write an address such as ${example}.`)
      return undefined
    },
  }
}

/** Reads the public URL, to which paths are appended. */
function readPublicUrl(reader: EnvironmentReader): string | undefined {
  const name = 'TRADEPOST_PUBLIC_URL'
  const input = reader.url(name, ['http:', 'https:'], 'https://shop.example.com')
  if (input === undefined) return undefined
  const { username, password, search, hash } = new URL(input)
  if (username || password || search || hash) {
    reader.addFault(
      name,
      'write an address without a user, ? or #, such as https://shop.example.com.',
    )
  }
  // Redirects and mails have this URL in headers, which hold ASCII only.
  return new URL(input).href.replace(/\/+$/, '')
}

/** Reads `redis://user:password@host:port/database`, or `rediss:` for TLS. Valkey has the same URLs. */
function readRedisUrl(reader: EnvironmentReader): string | undefined {
  const name = 'TRADEPOST_REDIS_URL'
  const url = reader.url(name, ['redis:', 'rediss:'], 'redis://user:password@host:6379/0')
  if (url === undefined) return undefined
  const { hostname, username, password, pathname, search, hash } = new URL(url)
  if (decodePart(username) === undefined || decodePart(password) === undefined) {
    reader.addFault(name, 'write % in a user or password as %25.')
  }
  if (!hostname || !/^\/?\d{0,5}$/.test(pathname) || search || hash) {
    reader.addFault(
      name,
      'write a host, a port and a database number, such as redis://host:6379/0.',
    )
  }
  return url
}

/** Reads the address on which the server listens. An IPv6 address needs brackets only before a port. */
function readListenHost(reader: EnvironmentReader): string {
  const input = reader.text('HOST') ?? '127.0.0.1'
  const host = input.replace(/^\[(.*)\]$/, '$1')
  if (isIP(host) === 0 && !LISTEN_NAME.test(host)) {
    const remedy = 'write an address of this machine, such as 127.0.0.1 or 0.0.0.0'
    reader.addFault('HOST', `${remedy}, without http:// and port, not "${input}".`)
  }
  return host
}

function readHosts(reader: EnvironmentReader): Set<string> {
  const input = reader.list(ALLOWED_HOSTS).map((item) => item.toLowerCase())
  for (const host of input.filter((item) => !HOST_NAME.test(item))) {
    reader.addFault(
      ALLOWED_HOSTS,
      `"${host}" is not a host name. Write a host such as localhost, without http:// and port.`,
    )
  }
  return new Set(input)
}

function readProxies(reader: EnvironmentReader): string[] {
  const name = 'TRADEPOST_TRUSTED_PROXIES'
  const ranges = reader.list(name)
  for (const range of ranges.filter((item) => !isRange(item))) {
    reader.addFault(name, `"${range}" is not an IP address or a CIDR range such as 10.0.0.0/8.`)
  }
  return ranges
}

const METRICS_ADDRESS = 'TRADEPOST_METRICS_ADDRESS'

/** Reads `host:port`, with an IPv6 address in brackets. Port 0 means any free port. */
function readMetricsAddress(reader: EnvironmentReader): Config['metricsAddress'] {
  const input = reader.text(METRICS_ADDRESS) ?? '127.0.0.1:4101'
  if (input === 'off') return undefined
  const [, bracketed, name, digits] =
    /^(?:\[([0-9a-f:.]+)\]|([^:[\]/@\s]+)):(\d{1,5})$/i.exec(input) ?? []
  const host = bracketed ?? name
  const port = Number(digits)
  if (host && port <= PORT_MAX) return { host, port }
  reader.addFault(
    METRICS_ADDRESS,
    `write host:port, such as 127.0.0.1:4101, or off, not "${input}".`,
  )
  return undefined
}

function readSecretsKeys(reader: EnvironmentReader): Buffer[] {
  const name = 'TRADEPOST_SECRETS_KEY'
  const keys = reader.list(name).map((text) => Buffer.from(text, 'base64'))
  const isUnset = reader.text(name) === undefined
  if (isUnset || (keys.length > 0 && keys.every((key) => key.length === KEY_BYTES))) return keys
  reader.addFault(name, 'write the base64 of 32 bytes, as `openssl rand -base64 32` prints it.')
  return []
}

function readS3(reader: EnvironmentReader): S3Bucket | undefined {
  const textOf = (name: string) => reader.text(`TRADEPOST_S3_${name}`)
  const names = ['BUCKET', 'ACCESS_KEY_ID', 'SECRET_ACCESS_KEY'] as const
  const endpoint = reader.url(
    'TRADEPOST_S3_ENDPOINT',
    ['http:', 'https:'],
    'https://s3.example.com',
  )
  if (![...names, 'ENDPOINT', 'REGION'].some(textOf)) return undefined
  for (const name of names.filter((item) => !textOf(item))) {
    reader.addFault(
      `TRADEPOST_S3_${name}`,
      'set it together with the other TRADEPOST_S3_ variables.',
    )
  }
  const [bucket = '', accessKeyId = '', secretAccessKey = ''] = names.map(textOf)
  if (bucket && !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) {
    reader.addFault(
      'TRADEPOST_S3_BUCKET',
      'write 3 to 63 characters: a to z, 0 to 9, dots and hyphens, with a letter or digit at both ends.',
    )
  }
  return {
    bucket,
    region: textOf('REGION') ?? 'us-east-1',
    endpoint: endpoint?.replace(/\/+$/, ''),
    accessKeyId,
    secretAccessKey,
  }
}

/** Reads the address of Stripe. Each call has a secret, so it is encrypted unless the address is on this machine. */
function readStripeUrl(reader: EnvironmentReader): string {
  const name = 'TRADEPOST_STRIPE_URL'
  const fallback = 'https://api.stripe.com'
  const url = new URL(reader.url(name, ['http:', 'https:'], fallback) ?? fallback)
  if (url.protocol === 'http:' && !isLoopbackName(url.hostname))
    reader.addFault(name, 'write an address with https://, or one of this machine.')
  if (url.href !== `${url.origin}/`)
    reader.addFault(name, `write an address without a user, a path, ? or #, such as ${fallback}.`)
  return url.origin
}

/** Returns the hosts for webhooks. A demo on loopback may deliver them to this machine. */
export function allowedHosts(config: Config, isDemo: boolean): ReadonlySet<string> {
  const isLocalDemo = isDemo && LOOPBACK_HOSTS.includes(config.host) && !config.areAllowedHostsSet
  return isLocalDemo ? new Set(['127.0.0.1', 'localhost']) : config.webhookAllowedHosts
}
