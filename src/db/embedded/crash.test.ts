import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { ModuleKind, ScriptTarget, transpileModule } from 'typescript'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chanceOf, SEED } from '../../../test/chance.mjs'
import { elapse, until } from '../../../test/until.ts'
import { openEngine } from './engine.ts'

const SOURCE = fileURLToPath(new URL('../..', import.meta.url))
/** The modules that the writer runs. The folder of the code is found from the kernel. */
const COPIED = ['db/embedded', 'kernel/code-folder.ts', 'kernel/in-parallel.ts']
const MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url))
const KILLS = 3
/** Acknowledged writes before a kill. */
const WRITES_MIN = 10
/** The exit code of a writer that got an error. */
const FAILED_WRITE_CODE = 9

/** Prints the ids of rows whose commit was acknowledged, until it is killed or gets an error. */
const WRITER = `
import pg from 'pg'
import { openEngine } from './engine.js'
const [, , dataDir, firstId] = process.argv
const engine = await openEngine({ dataDir })
const pool = new pg.Pool({ stream: engine.connect, ssl: false, max: 4 })
pool.on('error', () => {})
pool.on('connect', (client) => client.on('error', () => {}))
await pool.query('create table if not exists note (id int primary key)')
let nextId = Number(firstId)
const write = async () => {
  for (;;) {
    const id = nextId++
    await pool.query('insert into note values ($1)', [id])
    process.stdout.write(id + '\\n')
  }
}
await Promise.all([write(), write(), write(), write()]).catch(() => process.exit(${FAILED_WRITE_CODE}))
`

let moduleDir: string
let folder: string
let dataDir: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'crash-'))
  dataDir = join(folder, 'pg')
  // Inside node_modules, so that plain Node finds the packages. The modules are transpiled, because Node loads no TypeScript.
  moduleDir = await mkdtemp(join(MODULES, '.crash-'))
  for (const path of COPIED) cpSync(join(SOURCE, path), join(moduleDir, path), { recursive: true })
  for (const name of readdirSync(moduleDir, { recursive: true, encoding: 'utf8' }))
    if (name.endsWith('.ts') && !name.endsWith('.test.ts')) transpile(join(moduleDir, name))
  writeFileSync(join(moduleDir, 'package.json'), '{ "type": "module" }')
  writeFileSync(writerFile(), WRITER)
})
afterAll(async () => {
  await rm(moduleDir, { recursive: true, force: true })
  await rm(folder, { recursive: true, force: true })
})

const writerFile = () => join(moduleDir, 'db', 'embedded', 'writer.js')

function transpile(file: string): void {
  const { outputText } = transpileModule(readFileSync(file, 'utf8'), {
    compilerOptions: {
      module: ModuleKind.ESNext,
      target: ScriptTarget.ES2023,
      rewriteRelativeImportExtensions: true,
    },
  })
  writeFileSync(file.replace('.ts', '.js'), outputText)
}

/** Waits for a condition, and fails if the writer ends before. */
const untilBy = (child: ChildProcess, condition: () => boolean) =>
  until(() => {
    if (child.exitCode !== null) throw new Error(`The writer ended with ${child.exitCode}.`)
    return condition()
  })

function startWriter(firstId = 1, wrapper: string[] = []): ChildProcess {
  const [command = '', ...args] = [...wrapper, process.execPath, writerFile()]
  return spawn(command, [...args, dataDir, String(firstId)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

/** Adds each id that the child prints to `ids`. */
function listen(child: ChildProcess, ids: number[]) {
  if (!child.stdout) throw new Error('The writer has no output.')
  return createInterface({ input: child.stdout }).on('line', (line) => ids.push(Number(line)))
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

const missingOf = async (ids: number[]) => {
  const stored = await storedIds()
  return ids.filter((id) => !stored.has(id))
}

const unfinishedClusters = () => readdirSync(folder).filter((name) => name.startsWith('pg.init-'))

test('a start succeeds after earlier starts that were killed during and right after the creation of the cluster', async () => {
  const moments = [
    () => unfinishedClusters().some((name) => existsSync(join(folder, name, 'base'))),
    () => existsSync(dataDir),
  ]
  for (const moment of moments) {
    const child = startWriter()
    await untilBy(child, moment)
    await kill(child)
  }
  const ids: number[] = []
  const child = startWriter()
  listen(child, ids)
  await untilBy(child, () => ids.length > 0)
  await kill(child)
  // The child that creates the cluster may outlive its parent by seconds; it then deletes its
  // folder.
  await until(() => unfinishedClusters().length === 0)
  expect(await missingOf(ids)).toEqual([])
})

test('every acknowledged write survives a kill of the process', async () => {
  const chance = chanceOf('kills of the embedded database')
  const ids: number[] = []
  for (let cycle = 1; cycle <= KILLS; cycle++) {
    const child = startWriter(cycle * 1_000_000)
    listen(child, ids)
    const earlierWrites = ids.length
    await untilBy(child, () => ids.length > earlierWrites + WRITES_MIN)
    await elapse(chance() * 300)
    await kill(child)
  }
  expect(await missingOf(ids), `SEED=${SEED}`).toEqual([])
})

const hasStrace = spawnSync('strace', ['-V']).error === undefined

test.skipIf(!hasStrace)('a write is not acknowledged if its flush fails', async () => {
  const ids: number[] = []
  const failFlushes = 'inject=fdatasync:error=EIO:when=40+'
  const log = join(folder, 'trace')
  const strace = ['strace', '-f', '-qq', '-o', log, '-e', 'trace=fdatasync', '-e', failFlushes]
  const child = startWriter(9_000_000, strace)
  listen(child, ids)
  const [code] = await once(child, 'close')
  expect(code).toBe(FAILED_WRITE_CODE)
  expect(ids.length).toBeGreaterThan(0)
  expect(await missingOf(ids)).toEqual([])
})

test('a folder with other content is refused and not changed', async () => {
  const foreign = join(folder, 'foreign')
  mkdirSync(foreign)
  writeFileSync(join(foreign, 'postgresql.conf'), '')
  await expect(openEngine({ dataDir: foreign })).rejects.toThrow('PG_VERSION is missing')
  writeFileSync(join(foreign, 'PG_VERSION'), '15\n')
  await expect(openEngine({ dataDir: foreign })).rejects.toThrow('was written by PostgreSQL 15')
  expect(readdirSync(foreign)).toEqual(['PG_VERSION', 'postgresql.conf'])
})
