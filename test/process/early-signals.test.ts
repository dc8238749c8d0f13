import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { endChild } from '../postgres/workplace.ts'
import { ROOT } from './build-once.ts'

/** Runs the command with a program that never ends loading, sends the signal, and returns how the process ended. */
async function signalWhileLoading(args: readonly string[], signal: NodeJS.Signals) {
  const folder = await mkdtemp(join(tmpdir(), 'tradepost-signal-'))
  await cp(join(ROOT, 'bin'), join(folder, 'bin'), { recursive: true })
  const bundle = join(folder, 'dist', 'program')
  await mkdir(bundle, { recursive: true })
  const program = "setInterval(() => {}, 60_000); process.stdout.write('loading')"
  await writeFile(join(bundle, 'cli.js'), program)
  const child = spawn(process.execPath, [join(folder, 'bin', 'tradepost.mjs'), ...args])
  try {
    const exit = once(child, 'exit')
    await once(child.stdout, 'data')
    child.kill(signal)
    const [code, endedBy] = await exit
    return code ?? endedBy
  } finally {
    await endChild(child, 'SIGKILL')
    await rm(folder, { recursive: true })
  }
}

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  '%s while `tradepost start` is loading ends the process with exit code 0',
  async (signal) => {
    expect(await signalWhileLoading(['start', '--demo'], signal)).toBe(0)
  },
)

test('SIGTERM while another command is loading ends the process by the signal', async () => {
  expect(await signalWhileLoading(['keys', 'list'], 'SIGTERM')).toBe('SIGTERM')
})
