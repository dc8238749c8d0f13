import { readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verify } from '../../sdk/webhooks/index.ts'
import { openLocalServer } from '../local-server.ts'
import { keepPort } from '../ports.ts'
import { openReceiver, type Receiver } from '../receiver.ts'
import { selfSigned } from '../self-signed.ts'
import { until } from '../until.ts'
import { call, targetOf } from './client.ts'
import {
  createInstallation,
  createMigratedInstallation,
  type Installation,
  linesOf,
  type Server,
} from './spawn-server.ts'

// Commands on a machine without a database, which call the API of a server on another machine.

let host: Installation
let server: Server
let laptop: Installation
let receiver: Receiver
/** A key that has only `webhooks:write`. */
let webhookKey: string

beforeAll(async () => {
  host = await createMigratedInstallation({ TRADEPOST_WEBHOOK_ALLOWED_HOSTS: 'other.example' })
  server = await host.start()
  laptop = await createInstallation({ DATA_DIR: '' })
  receiver = await openReceiver()
  const line = ['keys', 'create', '--store', server.live.id, '--json', '--permissions']
  webhookKey = JSON.parse((await host.run([...line, 'webhooks:write'])).stdout).key
})
afterAll(async () => {
  await laptop.close()
  await host.close()
  await receiver.close()
})

const settings = (key = server.live.api_key ?? '', url = server.origin) => ({
  TRADEPOST_URL: url,
  TRADEPOST_API_KEY: key,
  TRADEPOST_STORE: server.live.id,
})
const run = (line: string, env: Record<string, string> = settings()) =>
  laptop.run(line.split(' '), env)

describe('webhooks listen', () => {
  test('relays events with a key that has only webhooks:write, and closes the listener at Ctrl+C', async () => {
    const options = ['--url', server.origin, '--api-key', webhookKey, '--store', server.live.id]
    const line = ['webhooks', 'listen', '--forward', receiver.url, '--json', ...options]
    const listener = laptop.spawn(line)
    await until(() => linesOf(listener).length === 1)
    const [opened] = linesOf(listener)
    // Other users of the machine can read the arguments of a process.
    expect(await readFile(`/proc/${listener.pid}/cmdline`, 'utf8')).not.toContain(webhookKey)
    const triggered = await run('webhooks trigger order.created --json', settings(webhookKey))
    await until(() => linesOf(listener).length === 2)
    const [relayed] = receiver.received
    const event = await verify(relayed?.body ?? '', relayed?.headers ?? {}, opened.secret)
    expect(event.id).toBe(JSON.parse(triggered.stdout).event)
    expect(linesOf(listener)[1]).toMatchObject({ type: 'order.created', status: 200 })
    await until(async () => {
      const path = `/events/deliveries?webhook_id=${opened.endpoint}`
      const { json } = await call(targetOf(server), 'GET', path)
      return json.deliveries[0]?.status === 'succeeded'
    })
    listener.signal('SIGINT')
    expect(await listener.ended).toBe(0)
    const closed = await call(targetOf(server), 'GET', `/webhooks/${opened.endpoint}`)
    expect(closed.status).toBe(404)
    expect(listener.stdout() + listener.stderr()).not.toContain(webhookKey)
  })
})

test('webhooks list, test, resend and explain answer as on the server', async () => {
  const hook = { url: 'https://other.example/hook', events: ['order.created'] }
  const { webhook } = (await call(targetOf(server), 'POST', '/webhooks', { body: hook })).json
  expect((await run('webhooks list')).stdout).toContain(webhook.id)
  const tested = await run(`webhooks test ${webhook.id} --json`)
  const { delivery_id, result } = JSON.parse(tested.stdout)
  expect(result.ok).toBe(false)
  const resent = await run('webhooks resend --failed-since 1h --samples --json')
  expect(JSON.parse(resent.stdout)).toMatchObject({ resent: 0, failed: 1 })
  const one = await run(`webhooks resend --delivery ${delivery_id} --json`)
  expect(JSON.parse(one.stdout)).toEqual({ resent: 0, failed: 1 })
  const explained = await run(`webhooks explain ${delivery_id}`)
  expect(explained.stdout).toContain('HMAC-SHA256 in hex')
  await call(targetOf(server), 'DELETE', `/webhooks/${webhook.id}`)
})

test('logs tail shows calls, without its own', async () => {
  const tail = laptop.spawn(['logs', 'tail', '--json'], settings())
  const { headers } = await call(targetOf(server), 'GET', '/products')
  const paths = () => linesOf(tail).map(({ path }) => path)
  await until(() => linesOf(tail).some((line) => line.request_id === headers.get('x-request-id')))
  expect(paths().filter((path) => path.startsWith('/v1/account/calls'))).toEqual([])
  tail.signal('SIGINT')
  expect(await tail.ended).toBe(0)
})

test('get and post print the answer of the API', async () => {
  const file = join(laptop.dataDir, '..', 'customer.json')
  await writeFile(file, '{"email":"ada@example.com"}')
  const posted = await laptop.run(['post', '/customers', '--json'], settings(), `exec < ${file}`)
  const { customer } = JSON.parse(posted.stdout)
  const { stdout } = await run(`get /v1/customers/${customer.id}`)
  expect(JSON.parse(stdout)).toMatchObject({ success: true, customer: { email: customer.email } })
  const missing = await run('get /customers/999999')
  expect(missing).toMatchObject({ code: 1, stdout: '' })
  expect(missing.stderr).toMatch(/^NOT_FOUND: .* \(req_\w+\)\n$/)
})

test.each(['../../healthz', '/orders/../../../livez', '/./orders', '/%2E%2e/livez'])(
  'get %s is refused before a call, because it would lead out of the Store API',
  async (path) => {
    expect(await run(`get ${path}`)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('<path>: write a path such as /orders'),
    })
  },
)

test('a refused call names the field of each problem', async () => {
  const file = join(laptop.dataDir, '..', 'product.json')
  await writeFile(file, '{"name":1,"colour":"red"}')
  const { code, stderr } = await laptop.run(['post', '/products'], settings(), `exec < ${file}`)
  expect(code).toBe(1)
  expect(stderr).toMatch(/^VALIDATION_FAILED: /)
  for (const field of ['name: ', 'colour: ']) expect(stderr).toContain(field)
  expect((await run('get /orders?limit=abc')).stderr).toContain('VALIDATION_FAILED: limit: ')
})

test('a refused call prints no control character, which a terminal would obey', async () => {
  const { code, stderr } = await run('get /orders/a%1b%5B31mb%E2%80%AEx')
  expect(code).toBe(1)
  expect(stderr).toContain('The order a\ufffd[31mb\ufffdx was not found.')
})

test('a login is stored in a file that only its owner can read, and used until logout', async () => {
  const env = { XDG_CONFIG_HOME: join(laptop.dataDir, '..', 'config') }
  const file = join(env.XDG_CONFIG_HOME, 'tradepost', 'login.json')
  const signedIn = await run('login', { ...env, ...settings(webhookKey) })
  expect(signedIn.stderr).toBe('')
  expect(signedIn.stdout).toContain(file)
  expect(signedIn.stdout).not.toContain(webhookKey)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const triggered = await run('webhooks trigger order.created --json', env)
  expect(JSON.parse(triggered.stdout)).toMatchObject({ deliveries: 0 })
  expect((await laptop.run(['webhooks', 'list'], env, `chmod 644 ${file}`)).stderr).toContain(
    `chmod 600 ${file}`,
  )
  await run('logout', env)
  const afterwards = await run('get /account', env)
  expect(afterwards).toMatchObject({ code: 2, stdout: '' })
  expect(afterwards.stderr).toContain('Run tradepost login')
})

describe('a failure names its cause and the cure, and never the key', () => {
  const expectFailure = async (env: Record<string, string>, text: string) => {
    const failed = await run('webhooks trigger order.created', env)
    expect(failed).toMatchObject({ code: 1, stdout: '' })
    expect(failed.stderr).toContain(text)
    expect(failed.stderr.trim().split('\n')).toHaveLength(1)
    expect(failed.stderr).not.toContain(env.TRADEPOST_API_KEY)
  }

  test('a wrong key', () =>
    expectFailure(settings(`${webhookKey.slice(0, -4)}AAAA`), 'Check --api-key'))

  test('a wrong store', () =>
    expectFailure({ ...settings(), TRADEPOST_STORE: 'nobody000000' }, 'Check --store'))

  test('a key without the permission', async () => {
    const { code, stderr } = await run('logs tail', settings(webhookKey))
    expect(code).toBe(1)
    expect(stderr).toContain('account:read')
  })

  test('a port that belongs to another protocol', () =>
    expectFailure(settings(webhookKey, 'http://127.0.0.1:1'), 'Check the port of --url'))

  test('an address at which nothing listens', async () => {
    const url = `http://127.0.0.1:${await keepPort()}`
    await expectFailure(settings(webhookKey, url), 'Nothing listens at 127.0.0.1')
  })

  test('a host that does not exist', () =>
    expectFailure(settings(webhookKey, 'https://nowhere.invalid'), 'nowhere.invalid'))

  test('a certificate that this machine does not trust', async () => {
    const secure = createServer(selfSigned(), (_request, response) => response.end('{}'))
    await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve))
    const url = `https://127.0.0.1:${(secure.address() as AddressInfo).port}`
    await expectFailure(settings(webhookKey, url), 'NODE_EXTRA_CA_CERTS')
    secure.closeAllConnections()
    secure.close()
  })

  test('a proxy that answers with HTML', async () => {
    const proxy = await openLocalServer((_request, response) => {
      response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>')
    })
    const text = 'answered 502 with text/html, which is not an answer of Tradepost'
    await expectFailure(settings(webhookKey, proxy.origin), text)
    await proxy.close()
  })

  test('a redirect, which could send the key to another server', async () => {
    const proxy = await openLocalServer((_request, response) => {
      response.writeHead(301, { location: 'https://www.shop.example.com/' }).end()
    })
    const text = 'redirects to https://www.shop.example.com/'
    await expectFailure(settings(webhookKey, proxy.origin), text)
    await proxy.close()
  })
})
