import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const lib = (file: string) => new URL(`../../bench/lib/${file}`, import.meta.url).href

/** A benchmark that never ends. It starts a child, which ends 300 ms after SIGTERM, and prints the child's pid. */
const PROGRAM = `
  import { spawn } from 'node:child_process'
  import { bench, print } from '${lib('bench.mjs')}'
  import { endChild } from '${lib('children.mjs')}'

  await bench('Endless', async (atEnd) => {
    const slow = "setInterval(() => {}, 1e3); process.on('SIGTERM', () => setTimeout(process.exit, 300))"
    const child = spawn(process.execPath, ['-e', slow])
    atEnd(() => endChild(child))
    for (;;) {
      print('child ' + child.pid)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  })`

async function startBench(): Promise<{ bench: ChildProcess; childPid: number }> {
  const bench = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface({ input: bench.stdout })) {
    const [, pid] = /^child (\d+)$/.exec(line) ?? []
    if (pid) return { bench, childPid: Number(pid) }
  }
  throw new Error('The benchmark started no child.')
}

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test.each([
  ['whose output is closed', (bench: ChildProcess) => bench.stdout?.destroy(), 1],
  ['that is interrupted', (bench: ChildProcess) => bench.kill('SIGINT'), 130],
  ['whose terminal was closed', (bench: ChildProcess) => bench.kill('SIGHUP'), 130],
])('a benchmark %s ends its child processes and exits', async (_, interrupt, exitCode) => {
  const { bench, childPid } = await startBench()
  onTestFinished(() => void (isRunning(childPid) && process.kill(childPid, 'SIGKILL')))
  expect(isRunning(childPid)).toBe(true)
  const exit = once(bench, 'exit')
  interrupt(bench)
  bench.stdout?.resume()
  expect(await exit).toEqual([exitCode, null])
  expect(isRunning(childPid)).toBe(false)
})
