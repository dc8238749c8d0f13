import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, open, readFile, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Account } from './account.ts'

/** A temporary folder of one server, and the watchdog that clears it away after a crash. */
export type Workplace = {
  folder: string
  account: Account
  /** Ends this child when the test process ends, however that happens. */
  watch(child: ChildProcess): void
  close(): Promise<void>
}

/** A child that writes to a log; `said()` returns its output since it began. */
export type LoggedChild = { child: ChildProcess; said(): Promise<string> }

const KILL_AFTER_MS = 20_000
// Nothing of the caller's PG* or LC_* variables may reach a server.
const ENVIRONMENT = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

// Each line names the process to end, an empty line nobody. The pipe closes when the test process
// ends, even by kill -9; no exit handler could say that.
const WATCHDOG = `
  pid=
  while read -r line; do
    [ "$line" = done ] && exit 0
    pid=$line
  done
  if [ -n "$pid" ]; then
    kill -QUIT "$pid"
    for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
      kill -0 "$pid" || break
      sleep 0.25
    done
    kill -KILL "$pid"
  fi
  rm -rf "$1"`

export async function openWorkplace(name: string, account: Account): Promise<Workplace> {
  const folder = await mkdtemp(join(tmpdir(), `tradepost-${name}-`))
  await give(folder, account)

  // Its own process group: Ctrl+C and a kill of the test's group leave it alive to clear away.
  const watchdog = spawn('/bin/sh', ['-c', WATCHDOG, 'watchdog', folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: '/',
    detached: true,
  })
  const { stdin } = watchdog
  // Node gives a child's pipe the type of any stream, and only a socket can be let go.
  if ('unref' in stdin && typeof stdin.unref === 'function') stdin.unref()
  stdin.on('error', () => undefined)
  watchdog.unref()

  return {
    folder,
    account,
    watch(child) {
      child.unref()
      stdin.write(`${child.pid}\n`)
      child.once('exit', () => stdin.write('\n'))
    },
    async close() {
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
      stdin.end('done\n')
    },
  }
}

export async function give(path: string, account: Account): Promise<void> {
  if (account.uid !== undefined && account.gid !== undefined) {
    await chown(path, account.uid, account.gid)
  }
}

/** Starts a program as the workplace's user, watched, writing to `log` in its folder. */
export async function startIn(
  workplace: Workplace,
  log: string,
  command: readonly [string, ...string[]],
): Promise<LoggedChild> {
  const path = join(workplace.folder, log)
  const output = await open(path, 'a')
  try {
    const { size } = await stat(path)
    const { uid, gid } = workplace.account
    const [program, ...args] = command
    const child = spawn(program, args, {
      stdio: ['ignore', output.fd, output.fd],
      cwd: workplace.folder,
      env: ENVIRONMENT,
      uid,
      gid,
    })
    await once(child, 'spawn')
    workplace.watch(child)
    return { child, said: async () => (await readFile(path)).subarray(size).toString().trim() }
  } finally {
    await output.close()
  }
}

/** Runs a program to its end and returns its output; throws the output if it fails. */
export async function runIn(
  workplace: Workplace,
  command: readonly [string, ...string[]],
): Promise<string> {
  const { child, said } = await startIn(workplace, 'run.log', command)
  if (!hasEnded(child)) {
    child.ref()
    await once(child, 'exit')
  }
  if (child.exitCode !== 0) throw new Error(await said())
  return await said()
}

export function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

/** Resolves when the child is gone; one that does not heed the signal is killed. */
export async function endChild(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (hasEnded(child)) return
  child.ref()
  const exit = once(child, 'exit')
  child.kill(signal)
  const impatience = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS)
  await exit
  clearTimeout(impatience)
}

/** The important line in the output of a failed program. */
export function reasonOf(error: unknown): string {
  const lines = (error instanceof Error ? error.message : String(error)).split('\n')
  return lines.find((line) => /error|fatal/i.test(line)) ?? lines.at(-1) ?? ''
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('No port is free.')
  return address.port
}
