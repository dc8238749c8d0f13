import { type ChildProcess, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keepPort } from '../ports.ts'
import { endChild } from '../postgres/workplace.ts'
import { until } from '../until.ts'
import { ROOT } from './build-once.ts'
import {
  createMigratedInstallation,
  follow,
  type Installation,
  type Running,
} from './spawn-server.ts'

let readme: string
let installation: Installation
let server: Running
const children = new Set<ChildProcess>()

beforeAll(async () => {
  readme = await readFile(join(ROOT, 'README.md'), 'utf8')
  installation = await createMigratedInstallation()
  server = installation.spawn(['start', '--demo', '--lively'], {
    TRADEPOST_METRICS_ADDRESS: '127.0.0.1:0',
  })
  await untilTrue(() => server.stdout().includes('Ctrl+C'), server)
})
afterAll(async () => {
  await Promise.all([...children].map((child) => endChild(child, 'SIGTERM')))
  await installation.close()
})

/** Waits until the condition is true. Throws with the program's output if the program ends first. */
async function untilTrue(condition: () => boolean, program: Running): Promise<void> {
  let hasEnded = false
  void program.ended.then(() => {
    hasEnded = true
  })
  await until(() => {
    if (hasEnded && !condition())
      throw new Error(`The program ended:\n${program.stdout()}\n${program.stderr()}`)
    return condition()
  })
}

/** Runs a shell command in the clone, against the server of this test. */
function runInShell(line: string, env: Record<string, string> = {}): Running {
  const environment = {
    PATH: process.env.PATH ?? '',
    HOME: process.env.HOME ?? '',
    DATA_DIR: installation.dataDir,
    ...env,
  }
  const child = spawn('bash', ['-c', line], {
    cwd: ROOT,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.add(child)
  return follow(child)
}

/** Returns the code blocks under a heading. */
function blocksUnder(heading: string): string[] {
  const [, after = ''] = readme.split(`\n## ${heading}\n`)
  const [section = ''] = after.split('\n## ')
  return [...section.matchAll(/^```(?:sh)?\n([\s\S]*?)^```/gm)].map(([, text = '']) => text)
}

/** Replaces ids, keys, ports, folders and times, which differ between starts. */
const shapeOf = (text: string): string =>
  text
    .replace(/\b(token|store)=[\w-]+…?/g, '$1=…')
    .replace(/\b(sk_test_|whsec_)[\w+/=-]*…?/g, '$1…')
    .replace(/(?<=127\.0\.0\.1:)\d+/g, '…')
    .replace(/(?<=\s)\/\S+\/(?=data|keys\.txt)/g, '/…/')
    .replace(/\/…\/data(?=\/)/g, '/…')
    .replace(/\b(evt|we|ord)_\w+/g, '$1_…')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/(First sale |FIRST-SALE-)\w{8}/g, '$1…')
    .replace(/\bproduct \w{12}/g, 'product …')
    .replace(/(?<=demo(?:-shop)? +|x-store-hash: )\w{12}/g, '…')

test('start --demo --lively prints the output in README', () => {
  const [, documented = ''] = blocksUnder('One command')
  expect(shapeOf(server.stdout()).trim()).toBe(shapeOf(documented).trim())
})

test('the first call in README gets the answer in README', async () => {
  const [line = '', documented = ''] = blocksUnder('A first call')
  const [printedLine = ''] = /curl .*/.exec(server.stdout()) ?? []
  expect(shapeOf(printedLine)).toBe(shapeOf(line).trim())
  const call = runInShell(printedLine)
  expect(await call.ended).toBe(0)
  const parts = documented
    .trim()
    .replace(/"id":"\w{12}"/, '"id":"…"')
    .split('…')
  for (const part of parts) expect(call.stdout()).toContain(part)
})

test('the first sale prints the output in README', async () => {
  const [line = '', documented = ''] = blocksUnder('A first sale')
  const sale = runInShell(line)
  expect([await sale.ended, sale.stderr()]).toEqual([0, ''])
  expect(shapeOf(sale.stdout())).toBe(shapeOf(documented))
})

test('the receiver in README verifies the sample that the command in README sends', async () => {
  const [listen = '', receive = '', trigger = '', documented = ''] = blocksUnder('A webhook')
  const [, store = ''] = /demo +(\w{12}) \(test\)/.exec(server.stdout()) ?? []
  const port = String(await keepPort())
  const adapt = (line: string) =>
    line.replace(/(?<=--store )\w+/, store).replace(':3000', `:${port}`)

  const listener = runInShell(`exec ${adapt(listen)}`)
  await untilTrue(() => listener.stdout().includes('Ctrl+C'), listener)
  const [, secret = ''] = /Signing secret +(\S+)/.exec(listener.stdout()) ?? []
  const env = { RECEIVER_PORT: port }
  const receiver = runInShell(receive.replace(/whsec_\S+/, `'${secret}' exec`), env)
  await untilTrue(() => receiver.stdout().includes('Waiting'), receiver)
  const sample = runInShell(adapt(trigger))
  expect(await sample.ended).toBe(0)
  await untilTrue(() => receiver.stdout().includes('evt_'), receiver)
  expect(shapeOf(receiver.stdout())).toBe(shapeOf(documented))
  await untilTrue(() => /204 .* order\.completed/.test(listener.stdout()), listener)
})
