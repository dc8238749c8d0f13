import { once } from 'node:events'
import { createServer } from 'node:net'

const KILL_AFTER_MS = 20_000

export const hasEnded = (child) => child.exitCode !== null || child.signalCode !== null

/** Stops a child process. Kills it if it ignores the signal. Resolves when it has ended. */
export async function endChild(child, signal = 'SIGTERM') {
  if (hasEnded(child)) return
  const exit = once(child, 'exit')
  child.kill(signal)
  const timer = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS)
  await exit
  clearTimeout(timer)
}

export async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address()
  probe.close()
  await once(probe, 'close')
  return port
}
