import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, open, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Account } from './account.ts'

/** A temporary folder of a server, which a watchdog process deletes if the test process is killed. */
export type Workplace = {
  folder: string
  account: Account
  /** Lets the watchdog end this child when the test process ends, even if the test process is killed. */
  watch(child: ChildProcess): void
  close(): Promise<void>
}

/** A child process that writes to a log file. `output()` returns what this process has written. */
type LoggedChild = { child: ChildProcess; output(): Promise<string> }

const KILL_AFTER_MS = 20_000
// The caller's PG* and LC_* variables must not reach a server.
const ENVIRONMENT = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

// Each line of the input has the pid of the child to end, or is empty after the child has ended. The pipe closes when
// the test process ends, even after kill -9, when no exit handler runs.
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
  await changeOwner(folder, account)

  // The watchdog has a separate process group, so that Ctrl+C does not end it.
  const watchdog = spawn('/bin/sh', ['-c', WATCHDOG, 'watchdog', folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: '/',
    detached: true,
  })
  const { stdin } = watchdog
  // Node types a child's pipe as any stream, and only a socket can be unreferenced.
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

export async function changeOwner(path: string, account: Account): Promise<void> {
  if (account.uid !== undefined && account.gid !== undefined) {
    await chown(path, account.uid, account.gid)
  }
}

/** Starts a program as the user of the workplace. The watchdog watches it, and its output is appended to `log`. */
export async function startLogged(
  workplace: Workplace,
  log: string,
  command: readonly [string, ...string[]],
): Promise<LoggedChild> {
  const path = join(workplace.folder, log)
  const logFile = await open(path, 'a')
  try {
    const { size } = await stat(path)
    const { uid, gid } = workplace.account
    const [program, ...args] = command
    const child = spawn(program, args, {
      stdio: ['ignore', logFile.fd, logFile.fd],
      cwd: workplace.folder,
      env: ENVIRONMENT,
      uid,
      gid,
    })
    await once(child, 'spawn')
    workplace.watch(child)
    return { child, output: async () => (await readFile(path)).subarray(size).toString().trim() }
  } finally {
    await logFile.close()
  }
}

/** Runs a program to its end, and returns its output. Throws an error with the output if the program fails. */
export async function runToEnd(
  workplace: Workplace,
  command: readonly [string, ...string[]],
): Promise<string> {
  const { child, output } = await startLogged(workplace, 'run.log', command)
  if (!hasEnded(child)) {
    child.ref()
    await once(child, 'exit')
  }
  if (child.exitCode !== 0) throw new Error(await output())
  return await output()
}

export function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

/** Ends a child process, and resolves when it has ended. Kills a child that ignores the signal for 20 s. */
export async function endChild(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (hasEnded(child)) return
  child.ref()
  const exit = once(child, 'exit')
  child.kill(signal)
  const killTimer = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS)
  await exit
  clearTimeout(killTimer)
}

/** Returns the most informative line of the output of a failed program. */
export function reasonOf(error: unknown): string {
  const lines = (error instanceof Error ? error.message : String(error)).split('\n')
  return lines.find((line) => /error|fatal/i.test(line)) ?? lines.at(-1) ?? ''
}
