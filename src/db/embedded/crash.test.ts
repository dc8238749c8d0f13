import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { ModuleKind, ScriptTarget, transpileModule } from 'typescript'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openEngine } from './engine.ts'

const HERE = fileURLToPath(new URL('.', import.meta.url))
const MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url))
const KILLS = 3
/** Acknowledged writes before a kill. */
const WRITES_MIN = 10

/** Prints the ids of rows whose commit was acknowledged, until it is killed or gets an error. */
const WRITER = `
import pg from 'pg'
import { openEngine } from './engine.js'
const [, , dataDir, first] = process.argv
const engine = await openEngine({ dataDir })
const pool = new pg.Pool({ stream: engine.connect, ssl: false, max: 4 })
pool.on('error', () => {})
pool.on('connect', (client) => client.on('error', () => {}))
await pool.query('create table if not exists note (id int primary key)')
let id = Number(first)
const write = async () => {
  for (;;) {
    const mine = id++
    await pool.query('insert into note values ($1)', [mine])
    process.stdout.write(mine + '\\n')
  }
}
await Promise.all([write(), write(), write(), write()]).catch(() => process.exit(9))
`

let built: string
let folder: string
let dataDir: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'crash-'))
  dataDir = join(folder, 'pg')
  // Next to node_modules, where plain Node finds the packages; it does not load TypeScript.
  built = await mkdtemp(join(MODULES, '.crash-'))
  for (const name of readdirSync(HERE)) {
    if (name.endsWith('.mjs')) cpSync(join(HERE, name), join(built, name))
    if (name.endsWith('.test.ts') || !name.endsWith('.ts')) continue
    const { outputText } = transpileModule(readFileSync(join(HERE, name), 'utf8'), {
      compilerOptions: {
        module: ModuleKind.ESNext,
        target: ScriptTarget.ES2023,
        rewriteRelativeImportExtensions: true,
      },
    })
    writeFileSync(join(built, name.replace('.ts', '.js')), outputText)
  }
  writeFileSync(join(built, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(built, 'writer.js'), WRITER)
})
afterAll(async () => {
  await rm(built, { recursive: true, force: true })
  await rm(folder, { recursive: true, force: true })
})

function startWriter(first = 1, before: string[] = []): ChildProcess {
  const [command = '', ...args] = [...before, process.execPath, join(built, 'writer.js')]
  return spawn(command, [...args, dataDir, String(first)], { stdio: ['ignore', 'pipe', 'inherit'] })
}

/** Adds each id that the child prints to `ids`. */
function listen(child: ChildProcess, ids: number[]) {
  if (!child.stdout) throw new Error('The writer has no output.')
  return createInterface({ input: child.stdout }).on('line', (line) => ids.push(Number(line)))
}

async function until(reached: () => boolean) {
  while (!reached()) await pause(2)
}

async function kill(child: ChildProcess) {
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}

async function storedIds(): Promise<Set<number>> {
  const engine = await openEngine({ dataDir })
  const client = new pg.Client({ stream: engine.connect, ssl: false })
  await client.connect()
  const { rows } = await client.query<{ id: number }>('select id from note')
  await client.end()
  await engine.close()
  return new Set(rows.map(({ id }) => id))
}

const missing = async (ids: number[]) => {
  const stored = await storedIds()
  return ids.filter((id) => !stored.has(id))
}

const aside = () => readdirSync(folder).filter((name) => name.startsWith('pg.init-'))

test('after a first start killed at any moment, the next start succeeds', {
  timeout: 60_000,
}, async () => {
  const moments = [
    () => aside().some((name) => existsSync(join(folder, name, 'base'))),
    () => existsSync(dataDir),
  ]
  for (const moment of moments) {
    const child = startWriter()
    await until(moment)
    await kill(child)
  }
  const ids: number[] = []
  const child = startWriter()
  listen(child, ids)
  await until(() => ids.length > 0)
  await kill(child)
  // The child that creates the cluster may outlive its parent by seconds; it then deletes its
  // folder.
  await until(() => aside().length === 0)
  expect(await missing(ids)).toEqual([])
})

test('every acknowledged write survives the kill', { timeout: 60_000 }, async () => {
  const ids: number[] = []
  for (let cycle = 1; cycle <= KILLS; cycle++) {
    const child = startWriter(cycle * 1_000_000)
    listen(child, ids)
    const before = ids.length
    await until(() => ids.length > before + WRITES_MIN)
    await pause(Math.random() * 300)
    await kill(child)
  }
  expect(await missing(ids)).toEqual([])
})

const traced = spawnSync('strace', ['-V']).error === undefined

test.skipIf(!traced)(
  'a write is not acknowledged if its flush fails',
  { timeout: 60_000 },
  async () => {
    const ids: number[] = []
    const failing = 'inject=fdatasync:error=EIO:when=40+'
    const options = [
      '-f',
      '-qq',
      '-o',
      join(folder, 'trace'),
      '-e',
      'trace=fdatasync',
      '-e',
      failing,
    ]
    const child = startWriter(9_000_000, ['strace', ...options])
    listen(child, ids)
    const [code] = await once(child, 'close')
    expect(code).toBe(9)
    expect(ids.length).toBeGreaterThan(0)
    expect(await missing(ids)).toEqual([])
  },
)

test('a folder with other content is refused and not changed', async () => {
  const other = join(folder, 'other')
  mkdirSync(other)
  writeFileSync(join(other, 'postgresql.conf'), '')
  await expect(openEngine({ dataDir: other })).rejects.toThrow('has no PG_VERSION')
  writeFileSync(join(other, 'PG_VERSION'), '15\n')
  await expect(openEngine({ dataDir: other })).rejects.toThrow('was written by PostgreSQL 15')
  expect(readdirSync(other)).toEqual(['PG_VERSION', 'postgresql.conf'])
})
