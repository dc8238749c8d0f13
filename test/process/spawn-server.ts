import { type ChildProcess, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { endChild, hasEnded, openWorkplace } from '../postgres/workplace.ts'
import { buildOnce, copyMigrated, ROOT } from './build-once.ts'

type Env = Record<string, string>

export interface Side {
  id: string
  slug: string
  livemode: boolean
  api_key?: string
  security_key?: string
  app_public_id?: string
}

/** The ready file (running.md). */
export interface Ready {
  pid: number
  version: string
  database: string
  store_api: string
  stores: Side[]
}

/** A process that was started; it may exit at any time. */
export interface Running {
  pid: number
  stdout(): string
  /** Without the lines below. */
  stderr(): string
  /** The progress lines of a start that takes more than 5 s (decision 130). */
  progress(): string[]
  signal(name: NodeJS.Signals): void
  /** Its exit code, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals>
}

export interface Server extends Running {
  ready: Ready
  /** `http://127.0.0.1:port` */
  origin: string
  live: Side
  test: Side
}

export interface Ran {
  code: number | NodeJS.Signals
  stdout: string
  stderr: string
}

/** A temporary folder with an environment of its own, in which the built program is started. */
export interface Installation {
  dataDir: string
  readyFile: string
  /** `tradepost …`, without waiting for anything. */
  spawn(args: readonly string[], env?: Env): Running
  /** `tradepost start --demo`, until its ready file is there. A shell says something before, as `ulimit -n 512`. */
  start(env?: Env, before?: string): Promise<Server>
  /** `tradepost …`, to its end. */
  run(args: readonly string[], env?: Env, before?: string): Promise<Ran>
  /** Ends all that was started here, and removes the folder. */
  close(): Promise<void>
}

const PROGRAM = join(ROOT, 'bin', 'tradepost.mjs')
/** How much longer than the program itself is patient. */
const READY_MORE_MS = 30_000
const LOOK_AGAIN_MS = 20
const PROGRESS = /^\w+ the .*embedded database .*This may take up to \d+ s\.\n/gm

/** An installation whose database is migrated already, unless its settings name a server. It has no store yet. */
export async function createMigratedInstallation(settings: Env = {}): Promise<Installation> {
  const installation = await createInstallation(settings)
  if (!settings.DATABASE_URL) await copyMigrated(installation.dataDir)
  return installation
}

/** `program` is the command to run, instead of that of this checkout. */
export async function createInstallation(
  settings: Env = {},
  program = PROGRAM,
): Promise<Installation> {
  await buildOnce()
  const workplace = await openWorkplace('process', { name: 'this user' })
  const dataDir = join(workplace.folder, 'data')
  const readyFile = join(dataDir, 'ready.json')
  const children = new Set<ChildProcess>()

  // Nothing of the caller's settings may reach the program.
  const environment = (env: Env): Env => ({
    PATH: process.env.PATH ?? '/usr/bin:/bin',
    TMPDIR: process.env.TMPDIR ?? '/tmp',
    DATA_DIR: dataDir,
    PORT: '0',
    LOG_LEVEL: 'warn',
    // Files run at once: they must not meet at one port.
    TRADEPOST_METRICS_ADDRESS: 'off',
    ...settings,
    ...env,
  })

  function begin(
    args: readonly string[],
    env: Env = {},
    before?: string,
  ): Running & { child: ChildProcess } {
    const line = [process.execPath, program, ...args]
    const shell = before === undefined ? [] : ['sh', '-c', `${before}; exec "$@"`, 'sh']
    const [command = '', ...words] = [...shell, ...line]
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
    spawn: begin,
    async start(env = {}, before) {
      const { child, ...running } = begin(['start', '--demo'], env, before)
      // The watchdog ends it should this process be killed.
      workplace.watch(child)
      const file = env.TRADEPOST_READY_FILE ?? readyFile
      const patience_ms = Number(env.TRADEPOST_START_TIMEOUT ?? 120) * 1_000
      const ready = await readyOf(running, child, { file, patience_ms })
      const side = (livemode: boolean) => ready.stores.find((item) => item.livemode === livemode)
      const [live, test] = [side(true), side(false)]
      if (!live || !test) throw new Error('The ready file names no demo store.')
      return { ...running, ready, live, test, origin: new URL(ready.store_api).origin }
    },
    async run(args, env, before) {
      const running = begin(args, env, before)
      const code = await running.ended
      return { code, stdout: running.stdout(), stderr: running.stderr() }
    },
    async close() {
      await Promise.all([...children].map((child) => endChild(child, 'SIGKILL')))
      await workplace.close()
    },
  }
}

function follow(child: ChildProcess): Running {
  const said = { stdout: '', stderr: '' }
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    said.stdout += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said.stderr += text
  })
  return {
    pid: child.pid ?? 0,
    stdout: () => said.stdout,
    stderr: () => said.stderr.replace(PROGRESS, ''),
    progress: () => said.stderr.match(PROGRESS) ?? [],
    signal: (name) => void child.kill(name),
    // 'close' comes after 'exit', when its last words were read.
    ended: new Promise((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code, signal) => resolve(code ?? signal ?? 'SIGKILL'))
    }),
  }
}

/** A ready file of an earlier start has another pid. */
async function readyOf(
  running: Running,
  child: ChildProcess,
  { file, patience_ms }: { file: string; patience_ms: number },
): Promise<Ready> {
  const until = Date.now() + patience_ms + READY_MORE_MS
  while (!hasEnded(child) && Date.now() < until) {
    const text = await readFile(file, 'utf8').catch(() => '')
    // The file appears whole, so a text that is no JSON is a fault worth a failing test.
    const ready = text && (JSON.parse(text) as Ready)
    if (ready && ready.pid === running.pid) return ready
    await pause(LOOK_AGAIN_MS)
  }
  throw new Error(
    `The server did not start:\n${running.stdout()}\n${running.progress().join('')}${running.stderr()}`,
  )
}
