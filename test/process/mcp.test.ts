import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { keepPort } from '../ports.ts'
import { ROOT } from './build-once.ts'
import {
  createMigratedInstallation,
  follow,
  type Installation,
  type Server,
} from './spawn-server.ts'

/** `tradepost mcp` as the official client starts it. */

const PROGRAM = join(ROOT, 'bin', 'tradepost.mjs')

let installation: Installation
let server: Server
let readingKey: string

beforeAll(async () => {
  installation = await createMigratedInstallation()
  server = await installation.start()
  const line = ['keys', 'create', '--store', server.live.id, '--json', '--permissions']
  readingKey = JSON.parse((await installation.run([...line, 'products:read'])).stdout).key
})
afterAll(() => installation.close())

async function connect(args: string[], env: Record<string, string> = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [PROGRAM, 'mcp', ...args],
    env: { PATH: process.env.PATH ?? '', ...env },
    stderr: 'pipe',
  })
  await client.connect(transport)
  onTestFinished(() => client.close())
  return client
}

const settings = (key: string, url = server.origin) => ({
  TRADEPOST_URL: url,
  TRADEPOST_API_KEY: key,
  TRADEPOST_STORE: server.live.id,
})

test('tradepost mcp has the tools of its key, and with --write those that change data', async () => {
  const reading = await connect([], settings(readingKey))
  const names = (await reading.listTools()).tools.map(({ name }) => name)
  expect(names).toContain('products_list')
  expect(names).not.toContain('products_create')
  expect(names).not.toContain('orders_list')
  expect(reading.getServerVersion()).toMatchObject({
    name: 'tradepost',
    version: server.ready.version,
  })
  const key = server.live.api_key ?? ''
  const options = ['--url', server.origin, '--api-key', key, '--store', server.live.id, '--write']
  const writing = await connect(options)
  const body = { name: 'Made on standard input', price_cents: 500 }
  const created = await writing.callTool({ name: 'products_create', arguments: { body } })
  expect(created.isError).toBe(false)
  const found = await reading.callTool({ name: 'products_list', arguments: { search: 'standard' } })
  expect(JSON.stringify(found.content)).toContain('Made on standard input')
})

test.each([
  ['with a wrong key', () => settings('sk_live_wrong'), /INVALID_API_KEY/],
  [
    'without a server',
    async () => settings('sk_live_x', `http://127.0.0.1:${await keepPort()}`),
    /Nothing listens/,
  ],
])('a client %s gets the sentence that says what to do', async (_, open, message) => {
  await expect(connect([], await open())).rejects.toThrow(message)
})

test('the command prints only messages, and ends with 0 after the end of its input', async () => {
  const lines = ['{"jsonrpc":"2.0","id":1,"method":"ping"}', 'nonsense', '']
  const child = spawn(process.execPath, [PROGRAM, 'mcp'], {
    env: { PATH: process.env.PATH, ...settings(readingKey) },
  })
  const command = follow(child)
  child.stdin.end(lines.join('\n'))
  const code = await command.ended
  const [stdout, stderr] = [command.stdout(), command.stderr()]
  expect([code, stderr]).toEqual([0, ''])
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .sort((a) => (a.id ? -1 : 1)),
  ).toEqual([
    { jsonrpc: '2.0', id: 1, result: {} },
    { jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'The line is not JSON.' } },
  ])
})
