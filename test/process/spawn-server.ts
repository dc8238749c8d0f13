import { type ChildProcess, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { timeLimit } from '../clock.ts'
import type { Json } from '../harness.ts'
import { endChild, hasEnded, openWorkplace } from '../postgres/workplace.ts'
import { elapse } from '../until.ts'
import { buildOnce, copyMigrated, HARDLY_OPTIMIZED, ROOT } from './build-once.ts'

type Env = Record<string, string>

export interface Side {
  id: string
  slug: string
  livemode: boolean
  api_key?: string
  security_key?: string
  app_public_id?: string
}

/** The content of the ready file. */
interface Ready {
  pid: number
  version: string
  database: string
  store_api: string
  stores: Side[]
}

/** A started process, which may have exited. */
export interface Running {
  pid: number
  stdout(): string
  /** Returns standard error without the progress lines. */
  stderr(): string
  /** Returns the progress lines of a start that takes more than 5 s (decision 130). */
  progress(): string[]
  signal(name: NodeJS.Signals): void
  /** The exit code, or the signal that ended the process. */
  ended: Promise<number | NodeJS.Signals>
}

export interface Server extends Running {
  ready: Ready
  /** `http://127.0.0.1:port` */
  origin: string
  live: Side
  test: Side
}

export interface RunResult {
  code: number | NodeJS.Signals
  stdout: string
  stderr: string
}

/** A temporary folder and an environment, with which the built program is started. */
export interface Installation {
  dataDir: string
  readyFile: string
  /** Runs `tradepost …` without waiting. */
  spawn(args: readonly string[], env?: Env): Running
  /**
   * Runs `tradepost start --demo` until its ready file exists. `before` is a shell command that runs
   * first, such as `ulimit -n 512`.
   */
  start(env?: Env, before?: string): Promise<Server>
  /** Runs `tradepost …` to its end. */
  run(args: readonly string[], env?: Env, before?: string): Promise<RunResult>
  /** Ends all started processes, and deletes the folder. */
  close(): Promise<void>
}

const PROGRAM = join(ROOT, 'bin', 'tradepost.mjs')
/** The time to wait for the ready file after the start timeout of the program. */
const READY_MARGIN_MS = 30_000
const POLL_MS = 20
const PROGRESS = /^\w+ the .*embedded database .*This may take up to \d+ s\.\n/gm

export interface InstallationOptions {
  /** The program to run instead of that of this checkout. */
  program?: string
  /** The Node that runs it, instead of the one that runs the tests. */
  node?: string
  /** The options of V8. A program that runs under load is started without them. */
  v8Flags?: readonly string[]
}

/** Creates an installation. Its embedded database is migrated and has no store. */
export async function createMigratedInstallation(
  settings: Env = {},
  options: InstallationOptions = {},
): Promise<Installation> {
  const installation = await createInstallation(settings, options)
  if (!settings.DATABASE_URL) await copyMigrated(installation.dataDir)
  return installation
}

/** Creates an installation, whose folder is empty. */
export async function createInstallation(
  settings: Env = {},
  {
    program = PROGRAM,
    node = process.execPath,
    v8Flags = HARDLY_OPTIMIZED,
  }: InstallationOptions = {},
): Promise<Installation> {
  await buildOnce()
  const workplace = await openWorkplace('process', { name: 'this user' })
  const dataDir = join(workplace.folder, 'data')
  const readyFile = join(dataDir, 'ready.json')
  const children = new Set<ChildProcess>()

  // The program must not inherit settings of the caller.
  const environment = (env: Env): Env => ({
    PATH: process.env.PATH ?? '/usr/bin:/bin',
    TMPDIR: process.env.TMPDIR ?? '/tmp',
    DATA_DIR: dataDir,
    PORT: '0',
    LOG_LEVEL: 'warn',
    // Concurrent test files must not use the same port.
    TRADEPOST_METRICS_ADDRESS: 'off',
    ...settings,
    ...env,
  })

  function spawnProgram(
    args: readonly string[],
    env: Env = {},
    before?: string,
  ): Running & { child: ChildProcess } {
    const shell = before === undefined ? [] : ['sh', '-c', `${before}; exec "$@"`, 'sh']
    const [command = '', ...words] = [...shell, node, ...v8Flags, program, ...args]
    const child = spawn(command, words, {
      cwd: workplace.folder,
      env: environment(env),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    children.add(child)
    return { child, ...follow(child) }
  }

  return {
    dataDir,
    readyFile,
    spawn: spawnProgram,
    async start(env = {}, before) {
      const { child, ...running } = spawnProgram(['start', '--demo'], env, before)
      // The watchdog ends the server if the test process is killed.
      workplace.watch(child)
      const file = env.TRADEPOST_READY_FILE ?? readyFile
      const start_timeout_ms = Number(env.TRADEPOST_START_TIMEOUT ?? 120) * 1_000
      const timeout_ms = start_timeout_ms + READY_MARGIN_MS
      const ready = await untilReady(running, child, { file, timeout_ms })
      const side = (livemode: boolean) => ready.stores.find((item) => item.livemode === livemode)
      const [live, test] = [side(true), side(false)]
      if (!live || !test) throw new Error('The ready file names no demo store.')
      return { ...running, ready, live, test, origin: new URL(ready.store_api).origin }
    },
    async run(args, env, before) {
      const running = spawnProgram(args, env, before)
      const code = await running.ended
      return { code, stdout: running.stdout(), stderr: running.stderr() }
    },
    async close() {
      await Promise.all([...children].map((child) => endChild(child, 'SIGKILL')))
      await workplace.close()
    },
  }
}

/** Collects the output of a child process. */
export function follow(child: ChildProcess): Running {
  const output = { stdout: '', stderr: '' }
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text
  })
  return {
    pid: child.pid ?? 0,
    stdout: () => output.stdout,
    stderr: () => output.stderr.replace(PROGRESS, ''),
    progress: () => output.stderr.match(PROGRESS) ?? [],
    signal: (name) => void child.kill(name),
    // 'close' follows 'exit', after the last output was read.
    ended: new Promise((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code, signal) => resolve(code ?? signal ?? 'SIGKILL'))
    }),
  }
}

/** Returns the JSON values in standard output, one from each line. */
export const linesOf = ({ stdout }: Running): Json[] =>
  stdout()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

/** Returns the content of the ready file once it has the pid of the child. The file of an earlier start has another. */
async function untilReady(
  running: Running,
  child: ChildProcess,
  { file, timeout_ms }: { file: string; timeout_ms: number },
): Promise<Ready> {
  const isOver = timeLimit(timeout_ms)
  while (!hasEnded(child) && !isOver()) {
    const text = await readFile(file, 'utf8').catch(() => '')
    // The program writes a temporary file and renames it, so invalid JSON is a fault.
    const ready = text && (JSON.parse(text) as Ready)
    if (ready && ready.pid === running.pid) return ready
    await elapse(POLL_MS)
  }
  throw new Error(
    `The server did not start:\n${running.stdout()}\n${running.progress().join('')}${running.stderr()}`,
  )
}
