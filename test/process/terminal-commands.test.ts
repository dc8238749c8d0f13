import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { elapse, until } from '../until.ts'
import { ROOT } from './build-once.ts'
import { call, targetOf } from './client.ts'
import {
  createMigratedInstallation,
  type Installation,
  linesOf,
  type Server,
} from './spawn-server.ts'

const run = promisify(execFile)

let installation: Installation
let server: Server

beforeAll(async () => {
  installation = await createMigratedInstallation()
  server = await installation.start()
})
afterAll(() => installation.close())

/** Sends an invalid order, so that the request log has another call. */
async function sendInvalidOrder(): Promise<void> {
  const { status } = await call(targetOf(server), 'POST', '/orders', { body: { items: [] } })
  expect(status).toBe(422)
}

test('logs tail prints earlier calls and each new call once, and ends after Ctrl+C', async () => {
  await sendInvalidOrder()
  const tail = installation.spawn(['logs', 'tail', '--status', '4xx', '--json'])
  await until(() => linesOf(tail).length === 1)
  await sendInvalidOrder()
  await until(() => linesOf(tail).length === 2)
  const [first, second] = linesOf(tail)
  expect(first).toMatchObject({ method: 'POST', path: '/v1/orders', status: 422 })
  expect(second.request_id > first.request_id).toBe(true)
  tail.signal('SIGINT')
  expect(await tail.ended).toBe(0)
  expect(linesOf(tail).length).toBe(2)
})

test('logs tail without --json prints a line of text for a call, and ends when its output is closed', async () => {
  const program = [process.execPath, join(ROOT, 'bin', 'tradepost.mjs'), 'logs', 'tail']
  const env = { PATH: process.env.PATH, DATA_DIR: installation.dataDir }
  const pipeline = run('sh', ['-c', '"$@" | head -n 1', 'sh', ...program], { env })
  let hasEnded = false
  const ended = pipeline.finally(() => {
    hasEnded = true
  })
  // `head` ends after the first line, and `logs tail` when it writes the next one.
  while (!hasEnded) {
    await sendInvalidOrder()
    await Promise.race([ended, elapse(200)])
  }
  const { stdout } = await ended
  expect(stdout).toMatch(
    /^\d\d:\d\d:\d\d {2}422 +\d+ ms {2}POST {3}\/v1\/orders {2}VALIDATION_FAILED {2}…\w{4} {2}req_\w{22}\n$/,
  )
})

test('logs tail with an invalid status is refused, and exits 2', async () => {
  const { code, stderr } = await installation.run(['logs', 'tail', '--status', 'bad'])
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: '--status: write a status such as 404, or 4xx or 5xx.\n',
  })
})

test('open prints the link that signs in the first owner', async () => {
  const { code, stdout } = await installation.run(['open'])
  expect(code).toBe(0)
  expect(stdout).toMatch(new RegExp(`^${server.origin}/dashboard/\\S+\\n$`))
  expect((await fetch(stdout.trim(), { redirect: 'manual' })).status).toBeLessThan(400)
})

test('open with --test opens the test side', async () => {
  const sides = JSON.parse((await installation.run(['stores', 'list', '--json'])).stdout)
  const testSide = sides.find(({ livemode }: { livemode: boolean }) => !livemode)
  const { stdout } = await installation.run(['open', '--test'])
  expect(new URL(stdout.trim()).searchParams.get('store')).toBe(testSide.id)
})
