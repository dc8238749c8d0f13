import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import ts from 'typescript'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { askHolder } from './ask-holder.ts'
import { FolderHeldError, holdFolder } from './folder-lock.ts'

const serve = async () => 'served'
const request = { command: 'any', input: {} }

let root: string
let dir: string

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'lock-test-')))
  await compileModule()
})

beforeEach(async () => {
  dir = await mkdtemp(join(root, 'd-'))
})

afterAll(() => rm(root, { recursive: true, force: true }))

const lockOf = async (folder = dir) =>
  JSON.parse(await readFile(join(folder, 'tradepost.lock'), 'utf8'))

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)

const writeLock = (lock: unknown, name = 'tradepost.lock') =>
  writeFile(join(dir, name), typeof lock === 'string' ? lock : JSON.stringify(lock))

const deadLock = (nonce: string) => ({ pid: process.pid, socket: `${nonce}/none.sock`, nonce })

test('the first start creates and holds the folder, which other users cannot read', async () => {
  const data = join(dir, 'new', 'data')
  const held = await holdFolder(data, serve)
  const lock = await lockOf(data)

  expect(lock).toEqual({
    pid: process.pid,
    socket: expect.any(String),
    nonce: expect.stringMatching(/^[0-9a-f]{32}$/),
  })
  const socket = join(data, lock.socket)
  expect(await modeOf(data)).toBe('700')
  expect(await modeOf(dirname(socket))).toBe('700')
  expect(await modeOf(socket)).toBe('600')
  expect(await modeOf(join(data, 'tradepost.lock'))).toBe('600')
  await held.release()
})

test('a second start is refused with the pid of the lock, and the first continues', async () => {
  const held = await holdFolder(dir, serve)
  const refused = await holdFolder(dir, serve).catch((error) => error)

  expect(refused).toBeInstanceOf(FolderHeldError)
  expect(refused).toMatchObject({ pid: process.pid, exitCode: 1 })
  expect(await askHolder(dir, request)).toEqual({ answered: true, value: 'served' })
  await held.release()
})

test('a released folder is empty, and free', async () => {
  const held = await holdFolder(dir, serve)
  await held.release()
  await held.release()

  expect(await readdir(dir)).toEqual([])
  expect(await askHolder(dir, request)).toEqual({ answered: false })
  await (await holdFolder(dir, serve)).release()
})

test('a release leaves a lock of another process', async () => {
  const held = await holdFolder(dir, serve)
  const theirs = deadLock('theirs')
  await writeLock(theirs)
  await held.release()

  expect(await lockOf()).toEqual(theirs)
})

test('an accepted connection means that the lock is held, even without data and with pid 1', async () => {
  const silent = createServer().listen(join(dir, 's'))
  await once(silent, 'listening')
  await writeLock({ pid: 1, socket: 's', nonce: 'silent' })

  await expect(holdFolder(dir, serve)).rejects.toMatchObject({ pid: 1 })
  await expect(holdFolder(dir, serve)).rejects.toBeInstanceOf(FolderHeldError)
  expect((await readdir(dir)).sort()).toEqual(['s', 'tradepost.lock'])
  silent.close()
})

test('a lock whose pid is alive is stale if no process listens', async () => {
  await writeLock(deadLock('old'))

  expect(await askHolder(dir, request)).toEqual({ answered: false })
  const held = await holdFolder(dir, serve)
  expect((await lockOf()).nonce).not.toBe('old')
  await held.release()
  expect(await readdir(dir)).toEqual([])
})

test.each(['', 'no JSON', '[]', '{"pid":1,"socket":"s","nonce":"../../x"}'])(
  'an invalid lock file (%j) is replaced',
  async (text) => {
    await writeLock(text)

    expect(await askHolder(dir, request)).toEqual({ answered: false })
    const held = await holdFolder(dir, serve)
    expect(await lockOf()).toMatchObject({ pid: process.pid })
    await held.release()
    expect(await readdir(dir)).toEqual([])
  },
)

test('successors killed before they replaced the lock are followed and cleaned up', async () => {
  await writeLock(deadLock('a'))
  await writeLock(deadLock('b'), 'tradepost.lock.after-a')
  await writeLock(deadLock('c'), 'tradepost.lock.after-b')

  const held = await holdFolder(dir, serve)
  expect((await readdir(dir)).length).toBe(2)
  expect(await askHolder(dir, request)).toEqual({ answered: true, value: 'served' })
  await held.release()
  expect(await readdir(dir)).toEqual([])
})

test('a live successor that has not replaced the lock yet holds the folder', async () => {
  const heir = createServer().listen(join(dir, 's'))
  await once(heir, 'listening')
  await writeLock(deadLock('a'))
  await writeLock({ pid: 77, socket: 's', nonce: 'b' }, 'tradepost.lock.after-a')

  await expect(holdFolder(dir, serve)).rejects.toMatchObject({ pid: 77 })
  expect((await lockOf()).nonce).toBe('a')
  heir.close()
})

test('for a path of 150 bytes the socket is in a new folder under the temporary folder', async () => {
  const data = join(dir, 'x'.repeat(150 - dir.length - 1))
  const held = await holdFolder(data, serve)
  const { socket } = await lockOf(data)

  expect(data.length).toBe(150)
  expect(dirname(dirname(socket))).toBe(tmpdir())
  expect(await modeOf(dirname(socket))).toBe('700')
  expect(await modeOf(socket)).toBe('600')
  expect(await askHolder(data, request)).toEqual({ answered: true, value: 'served' })
  await expect(holdFolder(data, serve)).rejects.toBeInstanceOf(FolderHeldError)
  await held.release()
  expect(existsSync(dirname(socket))).toBe(false)
})

test('a holder with a short path is reached by clients with a long one', async () => {
  const long = join(dir, 'y'.repeat(150))
  await mkdir(join(dir, 'short'))
  await symlink(join(dir, 'short'), long)
  const held = await holdFolder(join(dir, 'short'), serve)

  expect(await askHolder(long, request)).toEqual({ answered: true, value: 'served' })
  await expect(holdFolder(long, serve)).rejects.toBeInstanceOf(FolderHeldError)
  await held.release()
})

test('a lock left by kill -9 is taken over, and no files remain', async () => {
  const [child] = await startChildren(1)
  expect(await child?.hold(dir)).toEqual({ won: true })
  const before = await lockOf()
  expect(before.pid).toBe(child?.process.pid)
  await expect(holdFolder(dir, serve)).rejects.toMatchObject({ pid: before.pid })

  child?.process.kill('SIGKILL')
  if (child) await once(child.process, 'exit')
  expect(existsSync(join(dir, before.socket))).toBe(true)

  const held = await holdFolder(dir, serve)
  expect(existsSync(join(dir, before.socket))).toBe(false)
  await held.release()
  expect(await readdir(dir)).toEqual([])
})

test('exactly one of ten processes that start at once takes a stale lock, in every round', async () => {
  const children = await startChildren(10)
  for (let round = 0; round < 25; round++) {
    await writeLock(deadLock(`round-${round}`))
    if (round % 2) await writeLock(deadLock('crashed'), `tradepost.lock.after-round-${round}`)

    const outcomes = await Promise.all(children.map((child) => child.hold(dir)))
    const winners = children.filter((_, index) => outcomes[index].won)
    expect(winners.length).toBe(1)
    const { pid } = await lockOf()
    expect(pid).toBe(winners[0]?.process.pid)
    expect(outcomes.filter((outcome) => outcome.pid === pid).length).toBe(9)

    await Promise.all(children.map((child) => child.release()))
    expect(await readdir(dir)).toEqual([])
  }
  for (const child of children) child.process.kill()
})

const CHILD = `
  import { createInterface } from 'node:readline'
  import { FolderHeldError, holdFolder } from './folder-lock.js'
  let held
  const say = (value) => process.stdout.write(JSON.stringify(value) + '\\n')
  const hold = async (dir) => {
    try {
      held = await holdFolder(dir, async () => 'child')
      say({ won: true })
    } catch (error) {
      say(error instanceof FolderHeldError ? { won: false, pid: error.pid } : { error: String(error.stack) })
    }
  }
  const release = async () => {
    await held?.release()
    held = undefined
    say({})
  }
  createInterface({ input: process.stdin })
    .on('line', (line) => (line === '' ? release() : hold(line)))
    .on('close', () => process.exit())
  say({})
`

// Node 20 does not run TypeScript, and the compiled program may be older than the source.
async function compileModule() {
  const folder = import.meta.dirname
  const files = (await readdir(folder)).filter((f) => f.endsWith('.ts') && !f.endsWith('.test.ts'))
  const compilerOptions: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.ESNext,
    rewriteRelativeImportExtensions: true,
    verbatimModuleSyntax: true,
  }
  for (const file of files) {
    const source = await readFile(join(folder, file), 'utf8')
    const { outputText } = ts.transpileModule(source, { compilerOptions, fileName: file })
    await writeFile(join(root, file.replace(/\.ts$/, '.js')), outputText)
  }
  await writeFile(join(root, 'package.json'), '{ "type": "module" }')
  await writeFile(join(root, 'child.js'), CHILD)
}

async function startChildren(count: number) {
  return await Promise.all(Array.from({ length: count }, startChild))
}

async function startChild() {
  const child: ChildProcess = spawn(process.execPath, [join(root, 'child.js')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  if (!child.stdin || !child.stdout) throw new Error('The child has no pipes.')
  const { stdin } = child
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const answer = async () => JSON.parse((await answers.next()).value ?? '{}')
  const say = async (line: string) => {
    stdin.write(`${line}\n`)
    return await answer()
  }
  await answer()
  return { process: child, hold: (folder: string) => say(folder), release: () => say('') }
}
