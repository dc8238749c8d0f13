import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { readConfig } from './config.ts'

function configOf(env: Record<string, string>) {
  const result = readConfig(env)
  if ('faults' in result) throw new Error(result.faults.join('\n'))
  return result.config
}

function faultsOf(env: Record<string, string>): string[] {
  const result = readConfig(env)
  return 'faults' in result ? result.faults : []
}

const secret = Buffer.alloc(32, 1).toString('base64')

test('without variables the server listens on 127.0.0.1:4100 with an embedded database', () => {
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
])('TRADEPOST_METRICS_ADDRESS=%s is read as %j', (text, metricsAddress) => {
  expect(configOf({ TRADEPOST_METRICS_ADDRESS: text }).metricsAddress).toEqual(metricsAddress)
})

test.each(['4101', 'localhost', ':4101', '127.0.0.1:70000', '::1:4101', 'http://127.0.0.1:4101'])(
  'an invalid metrics address %s is refused',
  (text) => {
    const [fault] = faultsOf({ TRADEPOST_METRICS_ADDRESS: text })
    expect(fault).toBe(
      `TRADEPOST_METRICS_ADDRESS: write host:port, such as 127.0.0.1:4101, or off, not "${text}".`,
    )
  },
)

test('lists are split at commas, names lower-cased, and trailing slashes removed', () => {
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

test('files are stored in a bucket if one is set, at Amazon unless an endpoint is set', () => {
  const bucket = { bucket: 'shop-files', accessKeyId: 'AKIA', secretAccessKey: 'hunter2' }
  expect(configOf(S3).s3).toEqual({ ...bucket, region: 'us-east-1', endpoint: undefined })
  const otherServer = {
    TRADEPOST_S3_ENDPOINT: 'https://s3.example.com/',
    TRADEPOST_S3_REGION: 'eu-1',
  }
  expect(configOf({ ...S3, ...otherServer }).s3).toEqual({
    ...bucket,
    region: 'eu-1',
    endpoint: 'https://s3.example.com',
  })
})

test.each(Object.keys(S3))(
  'a bucket without its %s is refused, and the error shows no secret',
  (name) => {
    const faults = faultsOf({ ...S3, [name]: '' })
    expect(faults).toHaveLength(1)
    expect(faults[0]).toMatch(new RegExp(`^${name}: `))
    expect(faults[0]).not.toContain('hunter2')
  },
)

test('an IPv6 host is put in brackets in the URL', () => {
  expect(configOf({ HOST: '::1' }).publicUrl).toBe('http://[::1]:4100')
})

test.each([
  ['0.0.0.0', 'http://127.0.0.1:4100'],
  ['::', 'http://[::1]:4100'],
])('a HOST of %s listens on all addresses, and its links name this machine', (HOST, publicUrl) => {
  expect(configOf({ HOST })).toMatchObject({ host: HOST, publicUrl })
})

test('brackets around HOST are removed', () => {
  expect(configOf({ HOST: '[::1]' })).toMatchObject({
    host: '::1',
    publicUrl: 'http://[::1]:4100',
  })
})

test.each(['http://localhost', 'localhost:4100', '[::1', '*', 'my host'])(
  'HOST %s is refused',
  (HOST) => {
    expect(faultsOf({ HOST })).toEqual([expect.stringMatching(/^HOST: write an address/)])
  },
)

test.each(['localhost', 'shop_1', 'fe80::1%eth0'])('HOST %s is accepted', (HOST) => {
  expect(configOf({ HOST }).host).toBe(HOST)
})

test.each(['http://localhost', 'localhost:3000', '*', 'my host'])(
  'an invalid webhook host %s is refused',
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
])('a public address https://%s, to which no path can be added, is refused', (rest) => {
  const faults = faultsOf({ TRADEPOST_PUBLIC_URL: `https://${rest}` })
  expect(faults).toHaveLength(1)
  expect(faults[0]).toMatch(/^TRADEPOST_PUBLIC_URL: write an address without/)
  expect(faults[0]).not.toContain('hunter2')
})

test('a public address with other letters than ASCII is written in ASCII, because headers hold no others', () => {
  const { publicUrl } = configOf({ TRADEPOST_PUBLIC_URL: 'https://bücher.example/größe/' })
  expect(publicUrl).toBe('https://xn--bcher-kva.example/gr%C3%B6%C3%9Fe')
})

test('an empty list of secrets keys is refused', () => {
  expect(faultsOf({ TRADEPOST_SECRETS_KEY: ',' })).toEqual([
    expect.stringMatching(/^TRADEPOST_SECRETS_KEY: write/),
  ])
})

test('an empty variable counts as unset', () => {
  expect(configOf({ PORT: ' ', LOG_LEVEL: '', DATABASE_URL: '' })).toMatchObject({
    port: 4100,
    logLevel: 'info',
    databaseUrl: undefined,
  })
})

test('all errors are reported at once, each with its variable and what to write', () => {
  const faults = faultsOf({
    PORT: '70000',
    HOST: 'http://shop',
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
  const messages = {
    PORT: '0 to 65535',
    HOST: '0.0.0.0',
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
  expect(faults).toHaveLength(Object.keys(messages).length)
  for (const [name, message] of Object.entries(messages)) {
    const fault = faults.find((item) => item.startsWith(`${name}:`))
    expect(fault, name).toContain(message)
  }
})

test.each(['-1', '1e3', '4100.5', '0x10', 'http', '４１００'])('PORT %s is refused', (port) => {
  expect(faultsOf({ PORT: port })).toEqual([expect.stringMatching(/^PORT: /)])
})

test('an error about a secret does not show the secret', () => {
  const shortKey = 'c2VjcmV0LXRoYXQtaXMtdG9vLXNob3J0'
  const keyFaults = faultsOf({ TRADEPOST_SECRETS_KEY: shortKey })
  expect(keyFaults).toHaveLength(1)
  expect(keyFaults[0]).not.toContain(shortKey)
  const urlFaults = faultsOf({ DATABASE_URL: 'mysql://shop:hunter2@localhost/shop' })
  expect(urlFaults).toHaveLength(1)
  expect(urlFaults[0]).not.toContain('hunter2')
})

test.each(['api', 'worker'])('the role %s requires DATABASE_URL', (role) => {
  expect(faultsOf({ TRADEPOST_ROLE: role })[0]).toMatch(/^TRADEPOST_ROLE: .*DATABASE_URL/)
  expect(faultsOf({ TRADEPOST_ROLE: role, DATABASE_URL: 'postgres://db/shop' })).toEqual([])
})

test('a config cannot be changed after it was read', () => {
  expect(Object.isFrozen(configOf({}))).toBe(true)
})

test.each(['smtp://50%off:secret@mail.example.com', 'smtp://user:50%off@mail.example.com'])(
  'a bare percent sign in %s is refused, and the error says how to write it',
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
])('mail through %s has TLS %s (decision 128)', (url, tls) => {
  expect(configOf({ TRADEPOST_SMTP_URL: url }).smtp?.tls).toBe(tls)
})

test.each([
  [
    'smtp://?from=shop@example.com',
    'write the host of the mail server, such as smtp://user:password@mail.example.com:587?from=shop@example.com.',
  ],
  ['smtp://mail.example.com?tls=maybe', 'write tls=off or tls=required, or omit tls.'],
  ['smtps://mail.example.com?tls=off', 'smtps: is always encrypted. Omit tls=off, or write smtp:.'],
])(
  '%s is refused as the URL of a mail server, and the error says what to write (decision 128)',
  (url, message) => {
    expect(faultsOf({ TRADEPOST_SMTP_URL: url })).toEqual([`TRADEPOST_SMTP_URL: ${message}`])
  },
)

test('TRADEPOST_MAIL_FROM is the sender of mail before any other, and must be an address', () => {
  const env = { TRADEPOST_SMTP_URL: 'smtps://mail.example.com?from=shop@example.com' }
  expect(configOf(env).smtp?.from).toBe('shop@example.com')
  expect(configOf({ ...env, TRADEPOST_MAIL_FROM: 'mail@example.org' }).smtp?.from).toBe(
    'mail@example.org',
  )
  expect(faultsOf({ TRADEPOST_MAIL_FROM: 'Corner' })).toEqual([
    'TRADEPOST_MAIL_FROM: write an email address such as shop@example.com, not "Corner".',
  ])
})

describe('the key that signs mail', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tradepost-dkim-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const fileOf = (name: string, text: string) => {
    const path = join(folder, name)
    writeFileSync(path, text)
    return path
  }
  const pemOf = (bits: number) =>
    generateKeyPairSync('rsa', { modulusLength: bits }).privateKey.export({
      type: 'pkcs8',
      format: 'pem',
    }) as string

  test('is read from its file, with its selector', () => {
    const pem = pemOf(1_024)
    const env = {
      TRADEPOST_SMTP_URL: 'smtps://mail.example.com',
      TRADEPOST_DKIM_KEY: fileOf('good.pem', pem),
      TRADEPOST_DKIM_SELECTOR: 'mail2026',
    }
    expect(configOf(env).smtp?.dkim).toEqual({ selector: 'mail2026', privateKey: pem })
  })

  test('is refused without a selector, without a file, with another content and if it is short', () => {
    const TRADEPOST_DKIM_SELECTOR = 'mail2026'
    const faultOf = (env: Record<string, string>) => faultsOf(env).join()
    expect(faultOf({ TRADEPOST_DKIM_SELECTOR })).toMatch(/^TRADEPOST_DKIM_KEY: write the path/)
    const TRADEPOST_DKIM_KEY = fileOf('other.pem', 'no key')
    expect(faultOf({ TRADEPOST_DKIM_KEY })).toMatch(/TRADEPOST_DKIM_SELECTOR: write the selector/)
    expect(faultOf({ TRADEPOST_DKIM_KEY, TRADEPOST_DKIM_SELECTOR })).toMatch(
      /is no RSA private key/,
    )
    const missing = join(folder, 'missing.pem')
    expect(faultOf({ TRADEPOST_DKIM_KEY: missing, TRADEPOST_DKIM_SELECTOR })).toMatch(/ENOENT/)
    const short = fileOf('short.pem', pemOf(512))
    expect(faultOf({ TRADEPOST_DKIM_KEY: short, TRADEPOST_DKIM_SELECTOR })).toMatch(/is no RSA/)
    const key = fileOf('fine.pem', pemOf(1_024))
    expect(faultOf({ TRADEPOST_DKIM_KEY: key, TRADEPOST_DKIM_SELECTOR: 'a b' })).toMatch(
      /^TRADEPOST_DKIM_SELECTOR: write a name/,
    )
  })
})

test.each(['redis://cache:6379/1', 'rediss://user:p%25ss@[::1]', 'redis://cache'])(
  'TRADEPOST_REDIS_URL may be %s (decision 23)',
  (text) => {
    expect(configOf({ TRADEPOST_REDIS_URL: text }).redisUrl).toBe(text)
  },
)

test.each([
  'cache:6379',
  'http://cache',
  'redis:///0',
  'redis://cache/shop',
  'redis://cache/0?db=1',
  'redis://user:hunter2%zz@cache',
])('a Redis address %s is refused without showing the secret (decision 23)', (text) => {
  const faults = faultsOf({ TRADEPOST_REDIS_URL: text })
  expect(faults).toHaveLength(1)
  expect(faults[0]).toMatch(/^TRADEPOST_REDIS_URL: write /)
  expect(faults[0]).not.toContain('hunter2')
})

test.each([
  [undefined, 'https://api.stripe.com'],
  ['https://stripe.example.com/', 'https://stripe.example.com'],
  ['http://127.0.0.1:12111', 'http://127.0.0.1:12111'],
])('TRADEPOST_STRIPE_URL=%s is read as %s (decision 461)', (text, stripeUrl) => {
  expect(configOf({ ...(text && { TRADEPOST_STRIPE_URL: text }) }).stripeUrl).toBe(stripeUrl)
})

test.each([
  'api.stripe.com',
  'http://api.stripe.com',
  'https://api.stripe.com/v1',
  'ftp://127.0.0.1',
])('TRADEPOST_STRIPE_URL=%s is refused', (text) => {
  const faults = faultsOf({ TRADEPOST_STRIPE_URL: text })
  expect(faults).toHaveLength(1)
  expect(faults[0]).toMatch(/^TRADEPOST_STRIPE_URL: write an address/)
})
