import { once } from 'node:events'
import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Below the ports that systems give to outgoing connections, so that nothing takes one before its program listens. */
const FIRST_PORT = 20_000
const PORTS = 10_000
/** Processes begin their search at different ports. */
const PORTS_OF_PROCESS = 37

let searched = process.pid * PORTS_OF_PROCESS
const kept = new Set<string>()

process.once('exit', () => {
  for (const file of kept) rmSync(file, { force: true })
})

/**
 * Returns a port on 127.0.0.1 that is free, and that no other test gets before this process ends: a file keeps it. A
 * test that needs an address without a listener uses it too.
 */
export async function keepPort(): Promise<number> {
  for (let tries = 0; tries < PORTS; tries++) {
    const port = FIRST_PORT + (searched++ % PORTS)
    if (keep(join(tmpdir(), `tradepost-port-${port}`)) && (await isFree(port))) return port
  }
  throw new Error(`No port from ${FIRST_PORT} to ${FIRST_PORT + PORTS - 1} is free.`)
}

/** Creates the file that keeps a port. Returns false if a running process has it. */
function keep(file: string): boolean {
  for (;;) {
    try {
      const descriptor = openSync(file, 'wx')
      writeSync(descriptor, String(process.pid))
      closeSync(descriptor)
      kept.add(file)
      return true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      if (isHeld(file)) return false
      rmSync(file, { force: true })
    }
  }
}

/** True if the process that keeps the port still runs. It may be about to write its number. */
function isHeld(file: string): boolean {
  try {
    const pid = Number(readFileSync(file, 'utf8'))
    return pid === 0 || process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1')
  try {
    await once(probe, 'listening')
  } catch {
    return false
  }
  probe.close()
  await once(probe, 'close')
  return true
}
