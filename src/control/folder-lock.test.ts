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
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { askHolder } from './ask-holder.ts'
import { FolderHeldError, lockFolder } from './folder-lock.ts'

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

afterEach(() => void vi.unstubAllEnvs())
afterAll(() => rm(root, { recursive: true, force: true }))

const readLock = async (folder = dir) =>
  JSON.parse(await readFile(join(folder, 'tradepost.lock'), 'utf8'))

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)

const writeLock = (lock: unknown, name = 'tradepost.lock') =>
  writeFile(join(dir, name), typeof lock === 'string' ? lock : JSON.stringify(lock))

const staleLockOf = (nonce: string) => ({ pid: process.pid, socket: `${nonce}/none.sock`, nonce })

test('the first start creates and holds the folder, which other users cannot read', async () => {
  const data = join(dir, 'new', 'data')
  const lock = await lockFolder(data, serve)
  const lockFile = await readLock(data)

  expect(lockFile).toEqual({
    pid: process.pid,
    socket: expect.any(String),
    nonce: expect.stringMatching(/^[0-9a-f]{32}$/),
    protocol: 2,
  })
  const socket = join(data, lockFile.socket)
  expect(await modeOf(data)).toBe('700')
  expect(await modeOf(dirname(socket))).toBe('700')
  expect(await modeOf(socket)).toBe('600')
  expect(await modeOf(join(data, 'tradepost.lock'))).toBe('600')
  await lock.release()
})

test('a second start is refused with the pid of the lock, and the first continues', async () => {
  const lock = await lockFolder(dir, serve)
  const refused = await lockFolder(dir, serve).catch((error) => error)

  expect(refused).toBeInstanceOf(FolderHeldError)
  expect(refused).toMatchObject({ pid: process.pid, exitCode: 1 })
  expect(await askHolder(dir, request)).toEqual({ answered: true, value: 'served' })
  await lock.release()
})

test('a released folder is empty and free', async () => {
  const lock = await lockFolder(dir, serve)
  await lock.release()
  await lock.release()

  expect(await readdir(dir)).toEqual([])
  expect(await askHolder(dir, request)).toEqual({ answered: false })
  await (await lockFolder(dir, serve)).release()
})

test('a release keeps the lock of another process', async () => {
  const lock = await lockFolder(dir, serve)
  const otherLock = staleLockOf('theirs')
  await writeLock(otherLock)
  await lock.release()

  expect(await readLock()).toEqual(otherLock)
})

test('a lock whose socket accepts connections is held, even if it sends no data and the pid is 1', async () => {
  const silent = createServer().listen(join(dir, 's'))
  await once(silent, 'listening')
  await writeLock({ pid: 1, socket: 's', nonce: 'silent' })

  await expect(lockFolder(dir, serve)).rejects.toMatchObject({ pid: 1 })
  await expect(lockFolder(dir, serve)).rejects.toBeInstanceOf(FolderHeldError)
  expect((await readdir(dir)).sort()).toEqual(['s', 'tradepost.lock'])
  silent.close()
})

test('a lock whose pid is alive is stale if no process listens on its socket', async () => {
  await writeLock(staleLockOf('old'))

  expect(await askHolder(dir, request)).toEqual({ answered: false })
  const lock = await lockFolder(dir, serve)
  expect((await readLock()).nonce).not.toBe('old')
  await lock.release()
  expect(await readdir(dir)).toEqual([])
})

test.each(['', 'no JSON', '[]', '{"pid":1,"socket":"s","nonce":"../../x"}'])(
  'an invalid lock file (%j) is replaced',
  async (text) => {
    await writeLock(text)

    expect(await askHolder(dir, request)).toEqual({ answered: false })
    const lock = await lockFolder(dir, serve)
    expect(await readLock()).toMatchObject({ pid: process.pid })
    await lock.release()
    expect(await readdir(dir)).toEqual([])
  },
)

test('a start follows and deletes the lock files of successors that were killed before they replaced the lock', async () => {
  await writeLock(staleLockOf('a'))
  await writeLock(staleLockOf('b'), 'tradepost.lock.after-a')
  await writeLock(staleLockOf('c'), 'tradepost.lock.after-b')

  const lock = await lockFolder(dir, serve)
  expect((await readdir(dir)).length).toBe(2)
  expect(await askHolder(dir, request)).toEqual({ answered: true, value: 'served' })
  await lock.release()
  expect(await readdir(dir)).toEqual([])
})

test('a running successor that has not replaced the lock yet holds the folder', async () => {
  const successor = createServer().listen(join(dir, 's'))
  await once(successor, 'listening')
  await writeLock(staleLockOf('a'))
  await writeLock({ pid: 77, socket: 's', nonce: 'b' }, 'tradepost.lock.after-a')

  await expect(lockFolder(dir, serve)).rejects.toMatchObject({ pid: 77 })
  expect((await readLock()).nonce).toBe('a')
  successor.close()
})

test('the socket of a folder whose path has 150 bytes is in a new folder under the temporary folder', async () => {
  const data = join(dir, 'x'.repeat(150 - dir.length - 1))
  const lock = await lockFolder(data, serve)
  const { socket } = await readLock(data)

  expect(data.length).toBe(150)
  expect(dirname(dirname(socket))).toBe(tmpdir())
  expect(await modeOf(dirname(socket))).toBe('700')
  expect(await modeOf(socket)).toBe('600')
  expect(await askHolder(data, request)).toEqual({ answered: true, value: 'served' })
  await expect(lockFolder(data, serve)).rejects.toBeInstanceOf(FolderHeldError)
  await lock.release()
  expect(existsSync(dirname(socket))).toBe(false)
})

test('a folder whose path is too long for a socket can be locked and reached, even if the path of the temporary folder is too long as well', async () => {
  const data = join(dir, 'y'.repeat(100))
  vi.stubEnv('TMPDIR', join(dir, 'z'.repeat(100)))
  await mkdir(tmpdir())
  const lock = await lockFolder(data, serve)
  const { socket } = await readLock(data)
  expect(dirname(dirname(socket))).toBe('/tmp')
  expect(await askHolder(data, request)).toEqual({ answered: true, value: 'served' })
  await lock.release()
  expect(existsSync(dirname(socket))).toBe(false)
})

test('a client with two long paths reaches a holder with a short one', async () => {
  const lock = await lockFolder(join(dir, 'short'), serve)
  const long = join(dir, 'y'.repeat(150))
  await symlink(join(dir, 'short'), long)
  vi.stubEnv('TMPDIR', join(dir, 'z'.repeat(100)))
  await mkdir(tmpdir())
  expect(await askHolder(long, request)).toEqual({ answered: true, value: 'served' })
  await lock.release()
})

test('a holder with a short path is reached by clients with a long one', async () => {
  const long = join(dir, 'y'.repeat(150))
  await mkdir(join(dir, 'short'))
  await symlink(join(dir, 'short'), long)
  const lock = await lockFolder(join(dir, 'short'), serve)

  expect(await askHolder(long, request)).toEqual({ answered: true, value: 'served' })
  await expect(lockFolder(long, serve)).rejects.toBeInstanceOf(FolderHeldError)
  await lock.release()
})

test('the lock of a killed process is replaced, and no other files remain', async () => {
  const [child] = await startChildren(1)
  expect(await child?.hold(dir)).toEqual({ won: true })
  const childLock = await readLock()
  expect(childLock.pid).toBe(child?.process.pid)
  await expect(lockFolder(dir, serve)).rejects.toMatchObject({ pid: childLock.pid })

  child?.process.kill('SIGKILL')
  if (child) await once(child.process, 'exit')
  expect(existsSync(join(dir, childLock.socket))).toBe(true)

  const lock = await lockFolder(dir, serve)
  expect(existsSync(join(dir, childLock.socket))).toBe(false)
  await lock.release()
  expect(await readdir(dir)).toEqual([])
})

test('exactly one of ten processes that start at the same time replaces a stale lock', async () => {
  const children = await startChildren(10)
  for (let round = 0; round < 25; round++) {
    await writeLock(staleLockOf(`round-${round}`))
    if (round % 2) await writeLock(staleLockOf('crashed'), `tradepost.lock.after-round-${round}`)

    const outcomes = await Promise.all(children.map((child) => child.hold(dir)))
    const winners = children.filter((_, index) => outcomes[index].won)
    expect(winners.length).toBe(1)
    const { pid } = await readLock()
    expect(pid).toBe(winners[0]?.process.pid)
    expect(outcomes.filter((outcome) => outcome.pid === pid).length).toBe(9)

    await Promise.all(children.map((child) => child.release()))
    expect(await readdir(dir)).toEqual([])
  }
  for (const child of children) child.process.kill()
})

const CHILD_PROGRAM = `
  import { createInterface } from 'node:readline'
  import { FolderHeldError, lockFolder } from './folder-lock.js'
  let held
  const print = (value) => process.stdout.write(JSON.stringify(value) + '\\n')
  const hold = async (dir) => {
    try {
      held = await lockFolder(dir, async () => 'child')
      print({ won: true })
    } catch (error) {
      print(error instanceof FolderHeldError ? { won: false, pid: error.pid } : { error: String(error.stack) })
    }
  }
  const release = async () => {
    await held?.release()
    held = undefined
    print({})
  }
  createInterface({ input: process.stdin })
    .on('line', (line) => (line === '' ? release() : hold(line)))
    .on('close', () => process.exit())
  print({})
`

// Node 20 does not run TypeScript, and the compiled program may be older than the source.
async function compileModule() {
  const folder = import.meta.dirname
  const files = (await readdir(folder)).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
  )
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
  await writeFile(join(root, 'child.js'), CHILD_PROGRAM)
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
  const send = async (line: string) => {
    stdin.write(`${line}\n`)
    return await answer()
  }
  await answer()
  return { process: child, hold: send, release: () => send('') }
}
