import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Json } from '../harness.ts'
import { ROOT } from './build-once.ts'
import { call } from './client.ts'
import {
  createMigratedInstallation,
  type Installation,
  type Running,
  type Server,
} from './spawn-server.ts'

/** The commands `logs tail` and `open`, next to a running server. */

const SLOW_MS = 120_000
const run = promisify(execFile)

let installation: Installation
let server: Server

beforeAll(async () => {
  installation = await createMigratedInstallation()
  server = await installation.start()
}, SLOW_MS)
afterAll(() => installation.close())

const buyNothing = () => {
  const { origin, live } = server
  const target = { origin, store: live.id, key: live.api_key ?? '' }
  return call(target, 'POST', '/orders', { body: { items: [] } })
}

const linesOf = ({ stdout }: Running): Json[] =>
  stdout()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

async function until(isSo: () => boolean): Promise<void> {
  for (const end = Date.now() + SLOW_MS; !isSo(); await pause(50)) {
    if (Date.now() > end) throw new Error('It did not come about.')
  }
}

test(
  'logs tail shows earlier calls and each new call once, and ends with Ctrl+C',
  async () => {
    await buyNothing()
    const tail = installation.spawn(['logs', 'tail', '--status', '4xx', '--json'])
    await until(() => linesOf(tail).length === 1)
    await buyNothing()
    await until(() => linesOf(tail).length === 2)
    const [first, second] = linesOf(tail)
    expect(first).toMatchObject({ method: 'POST', path: '/v1/orders', status: 422 })
    expect(second.request_id > first.request_id).toBe(true)
    tail.signal('SIGINT')
    expect(await tail.ended).toBe(0)
    expect(linesOf(tail).length).toBe(2)
  },
  SLOW_MS,
)

test(
  'logs tail prints a line for people, and ends when its reader leaves',
  async () => {
    const program = [process.execPath, join(ROOT, 'bin', 'tradepost.mjs'), 'logs', 'tail']
    const env = { PATH: process.env.PATH, DATA_DIR: installation.dataDir }
    const piped = run('sh', ['-c', '"$@" | head -n 1', 'sh', ...program], { env })
    const calls = (async () => {
      for (let ended = false; !ended; await pause(200)) {
        await buyNothing()
        ended = await Promise.race([piped.then(() => true), pause(1, false)])
      }
    })()
    const { stdout } = await piped
    await calls
    expect(stdout).toMatch(
      /^\d\d:\d\d:\d\d {2}422 +\d+ ms {2}POST {3}\/v1\/orders {2}VALIDATION_FAILED {2}…\w{4} {2}req_\w{22}\n$/,
    )
  },
  SLOW_MS,
)

test(
  'logs tail refuses a wrong status, with exit code 2',
  async () => {
    const { code, stderr } = await installation.run(['logs', 'tail', '--status', 'bad'])
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: '--status: write a status such as 404, or 4xx or 5xx.\n',
    })
  },
  SLOW_MS,
)

test(
  'open prints the link that signs in the first owner',
  async () => {
    const { code, stdout } = await installation.run(['open'])
    expect(code).toBe(0)
    expect(stdout).toMatch(new RegExp(`^${server.origin}/dashboard/\\S+\\n$`))
    expect((await fetch(stdout.trim(), { redirect: 'manual' })).status).toBeLessThan(400)
  },
  SLOW_MS,
)
