import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

function configOf(env: Record<string, string>) {
  const checked = readConfig(env)
  if ('faults' in checked) throw new Error(checked.faults.join('\n'))
  return checked.config
}

function faultsOf(env: Record<string, string>): string[] {
  const checked = readConfig(env)
  return 'faults' in checked ? checked.faults : []
}

const secret = Buffer.alloc(32, 1).toString('base64')

test('without any variable the house opens on 127.0.0.1:4100 with an embedded database', () => {
  expect(configOf({})).toMatchObject({
    port: 4100,
    host: '127.0.0.1',
    publicUrl: 'http://127.0.0.1:4100',
    databaseUrl: undefined,
    redisUrl: undefined,
    dataDir: resolve('data'),
    readyFile: resolve('data/ready.json'),
    role: 'all',
    trustedProxies: [],
    webhookAllowedHosts: new Set(),
    s3: undefined,
    secretsKeys: [],
    startTimeout_ms: 120_000,
    maxConnectionsPerAddress: 256,
    metricsAddress: { host: '127.0.0.1', port: 4101 },
    logLevel: 'info',
  })
})

test.each([
  ['off', undefined],
  ['0.0.0.0:9100', { host: '0.0.0.0', port: 9100 }],
  ['metrics.internal:0', { host: 'metrics.internal', port: 0 }],
  ['[::1]:4101', { host: '::1', port: 4101 }],
])('metrics are served at %s', (given, metricsAddress) => {
  expect(configOf({ TRADEPOST_METRICS_ADDRESS: given }).metricsAddress).toEqual(metricsAddress)
})

test.each(['4101', 'localhost', ':4101', '127.0.0.1:70000', '::1:4101', 'http://127.0.0.1:4101'])(
  'a metrics address %s is a fault',
  (given) => {
    const [fault] = faultsOf({ TRADEPOST_METRICS_ADDRESS: given })
    expect(fault).toBe(
      `TRADEPOST_METRICS_ADDRESS: write host:port, such as 127.0.0.1:4101, or off, not "${given}".`,
    )
  },
)

test('what is set is read: lists by commas, names without case, addresses without a slash', () => {
  expect(
    configOf({
      PORT: '0',
      HOST: '::1',
      DATA_DIR: '/srv/shop',
      TRADEPOST_PUBLIC_URL: 'https://shop.example.com//',
      TRADEPOST_TRUSTED_PROXIES: '10.0.0.0/8, ::1',
      TRADEPOST_WEBHOOK_ALLOWED_HOSTS: ' LocalHost ,127.0.0.1,',
      TRADEPOST_SECRETS_KEY: secret,
    }),
  ).toMatchObject({
    port: 0,
    publicUrl: 'https://shop.example.com',
    readyFile: '/srv/shop/ready.json',
    trustedProxies: ['10.0.0.0/8', '::1'],
    webhookAllowedHosts: new Set(['localhost', '127.0.0.1']),
    secretsKeys: [Buffer.alloc(32, 1)],
  })
})

const S3 = {
  TRADEPOST_S3_BUCKET: 'shop-files',
  TRADEPOST_S3_ACCESS_KEY_ID: 'AKIA',
  TRADEPOST_S3_SECRET_ACCESS_KEY: 'hunter2',
}

test('files go to a bucket where one is named; it is Amazon\u2019s where no endpoint is', () => {
  const whole = { bucket: 'shop-files', accessKeyId: 'AKIA', secretAccessKey: 'hunter2' }
  expect(configOf(S3).s3).toEqual({ ...whole, region: 'us-east-1', endpoint: undefined })
  const elsewhere = {
    TRADEPOST_S3_ENDPOINT: 'https://s3.example.com/',
    TRADEPOST_S3_REGION: 'eu-1',
  }
  expect(configOf({ ...S3, ...elsewhere }).s3).toEqual({
    ...whole,
    region: 'eu-1',
    endpoint: 'https://s3.example.com',
  })
})

test.each(Object.keys(S3))('a bucket without its %s is a fault that shows no secret', (name) => {
  const faults = faultsOf({ ...S3, [name]: '' })
  expect(faults).toHaveLength(1)
  expect(faults[0]).toMatch(new RegExp(`^${name}: `))
  expect(faults[0]).not.toContain('hunter2')
})

test('an IPv6 host stands in brackets in the address', () => {
  expect(configOf({ HOST: '::1' }).publicUrl).toBe('http://[::1]:4100')
})

test('a HOST in brackets is the address in them', () => {
  expect(configOf({ HOST: '[::1]' })).toMatchObject({
    host: '::1',
    publicUrl: 'http://[::1]:4100',
  })
})

test.each(['http://localhost', 'localhost:3000', '*', 'my host'])(
  'a webhook host %s, which would never fit, is a fault',
  (host) => {
    const [fault] = faultsOf({ TRADEPOST_WEBHOOK_ALLOWED_HOSTS: `127.0.0.1,::1,[::1],${host}` })
    expect(fault).toMatch(/^TRADEPOST_WEBHOOK_ALLOWED_HOSTS: .*such as localhost/)
    expect(fault).toContain(`"${host}"`)
  },
)

test.each([
  'user@shop.example.com',
  ':hunter2@shop.example.com',
  'shop.example.com/?a=1',
  'shop.example.com#a',
])('a public address https://%s, behind which no path can be put, is a fault', (rest) => {
  const faults = faultsOf({ TRADEPOST_PUBLIC_URL: `https://${rest}` })
  expect(faults).toHaveLength(1)
  expect(faults[0]).toMatch(/^TRADEPOST_PUBLIC_URL: write an address without/)
  expect(faults[0]).not.toContain('hunter2')
})

test('a list of secrets keys that holds none is a fault, and no reason to make one', () => {
  expect(faultsOf({ TRADEPOST_SECRETS_KEY: ',' })[0]).toMatch(/^TRADEPOST_SECRETS_KEY: write/)
})

test('an empty variable is one that is not set', () => {
  expect(configOf({ PORT: ' ', LOG_LEVEL: '', DATABASE_URL: '' })).toMatchObject({
    port: 4100,
    logLevel: 'info',
    databaseUrl: undefined,
  })
})

test('all faults are told at once, each with its variable and its cure', () => {
  const faults = faultsOf({
    PORT: '70000',
    TRADEPOST_ROLE: 'boss',
    LOG_LEVEL: 'loud',
    DATABASE_URL: 'mysql://localhost/shop',
    TRADEPOST_PUBLIC_URL: 'shop.example.com',
    TRADEPOST_TRUSTED_PROXIES: '10.0.0.0/99',
    TRADEPOST_DB_POOL: '1',
    TRADEPOST_START_TIMEOUT: '0',
    TRADEPOST_MAX_CONNECTIONS_PER_ADDRESS: '-1',
    TRADEPOST_METRICS_ADDRESS: '4101',
    TRADEPOST_MAX_FILE_BYTES: '5368709121',
    TRADEPOST_SECRETS_KEY: 'c2hvcnQ=',
  })
  const cures = {
    PORT: '0 to 65535',
    TRADEPOST_ROLE: 'all, api, worker',
    LOG_LEVEL: 'debug',
    DATABASE_URL: 'postgres://',
    TRADEPOST_PUBLIC_URL: 'https://',
    TRADEPOST_TRUSTED_PROXIES: '10.0.0.0/8',
    TRADEPOST_DB_POOL: '2 to 1000',
    TRADEPOST_START_TIMEOUT: '1 to 86400',
    TRADEPOST_MAX_CONNECTIONS_PER_ADDRESS: '0 to 1000000',
    TRADEPOST_METRICS_ADDRESS: 'host:port',
    TRADEPOST_MAX_FILE_BYTES: '1 to 5368709120',
    TRADEPOST_SECRETS_KEY: 'openssl rand -base64 32',
  }
  expect(faults).toHaveLength(Object.keys(cures).length)
  for (const [name, cure] of Object.entries(cures)) {
    const fault = faults.find((item) => item.startsWith(`${name}:`))
    expect(fault, name).toContain(cure)
  }
})

test.each(['-1', '1e3', '4100.5', '0x10', 'http', '４１００'])('PORT %s is a fault', (port) => {
  expect(faultsOf({ PORT: port })).toHaveLength(1)
})

test('a fault in a secret does not show the secret', () => {
  const given = 'c2VjcmV0LXRoYXQtaXMtdG9vLXNob3J0'
  expect(faultsOf({ TRADEPOST_SECRETS_KEY: given }).join()).not.toContain(given)
  const url = 'mysql://shop:hunter2@localhost/shop'
  expect(faultsOf({ DATABASE_URL: url }).join()).not.toContain('hunter2')
})

test.each(['api', 'worker'])('the role %s needs a database server', (role) => {
  expect(faultsOf({ TRADEPOST_ROLE: role })[0]).toMatch(/^TRADEPOST_ROLE: .*DATABASE_URL/)
  expect(faultsOf({ TRADEPOST_ROLE: role, DATABASE_URL: 'postgres://db/shop' })).toEqual([])
})

test('a config cannot be changed once it was read', () => {
  expect(Object.isFrozen(configOf({}))).toBe(true)
})

test.each(['smtp://50%off:secret@mail.example.com', 'smtp://user:50%off@mail.example.com'])(
  'a bare percent sign in %s is a fault that says how to write it',
  (url) => {
    expect(readConfig({ TRADEPOST_SMTP_URL: url })).toEqual({
      faults: ['TRADEPOST_SMTP_URL: write % in a user or password as %25.'],
    })
  },
)

test.each([
  ['smtps://mail.example.com', 'implicit'],
  ['smtp://mail.example.com', 'required'],
  ['smtp://10.0.0.7:25', 'required'],
  ['smtp://localhost.example.com', 'required'],
  ['smtp://mail.example.com?tls=off', 'off'],
  ['smtp://LOCALHOST:25', 'offered'],
  ['smtp://127.0.0.1:25', 'offered'],
  ['smtp://[::1]:25', 'offered'],
  ['smtp://127.0.0.1:25?tls=required', 'required'],
])('mail through %s is encrypted as %s (decision 128)', (url, tls) => {
  expect(configOf({ TRADEPOST_SMTP_URL: url }).smtp?.tls).toBe(tls)
})

test.each([
  ['smtp://mail.example.com?tls=maybe', 'write tls=off or tls=required, or leave tls out.'],
  [
    'smtps://mail.example.com?tls=off',
    'smtps: is always encrypted; leave out tls=off, or write smtp:.',
  ],
])('%s is a fault that says what to write (decision 128)', (url, cure) => {
  expect(faultsOf({ TRADEPOST_SMTP_URL: url })).toEqual([`TRADEPOST_SMTP_URL: ${cure}`])
})

test.each(['redis://cache:6379/1', 'rediss://user:p%25ss@[::1]', 'redis://cache'])(
  'rate limits are shared at %s (decision 23)',
  (given) => {
    expect(configOf({ TRADEPOST_REDIS_URL: given }).redisUrl).toBe(given)
  },
)

test.each([
  'cache:6379',
  'http://cache',
  'redis:///0',
  'redis://cache/shop',
  'redis://cache/0?db=1',
  'redis://user:hunter2%zz@cache',
])('a Redis address %s is a fault that shows no secret (decision 23)', (given) => {
  const faults = faultsOf({ TRADEPOST_REDIS_URL: given })
  expect(faults).toHaveLength(1)
  expect(faults[0]).toMatch(/^TRADEPOST_REDIS_URL: write /)
  expect(faults[0]).not.toContain('hunter2')
})
