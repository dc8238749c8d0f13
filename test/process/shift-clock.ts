import { readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { until } from '../until.ts'
import type { Installation } from './spawn-server.ts'

const LOADED_FIRST = fileURLToPath(new URL('shifted-clock.mjs', import.meta.url))

/** The machine time of the programs that are started with `env`. */
export interface ShiftedClock {
  env: { SHIFT_FILE: string; NODE_OPTIONS: string }
  /** Sets the clock to this many milliseconds ahead. Resolves when all threads of the programs have the time. */
  set(shift_ms: number): Promise<void>
  /** Returns the shifted time in milliseconds. */
  now(): number
}

export async function shiftClock({ dataDir }: Installation): Promise<ShiftedClock> {
  const file = join(dirname(dataDir), 'shift')
  let current_ms = 0
  await writeFile(file, '0')

  async function isApplied(): Promise<boolean> {
    const prefix = `${basename(file)}.`
    for (const name of await readdir(dirname(file))) {
      if (!name.startsWith(prefix) || !isRunning(Number(name.split('.')[1]))) continue
      if ((await readFile(join(dirname(file), name), 'utf8')) !== String(current_ms)) return false
    }
    return true
  }

  return {
    env: { SHIFT_FILE: file, NODE_OPTIONS: `--import=${LOADED_FIRST}` },
    async set(shift_ms) {
      current_ms = shift_ms
      await writeFile(file, String(shift_ms))
      await until(isApplied)
    },
    now: () => Date.now() + current_ms,
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
