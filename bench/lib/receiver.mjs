// The receiver of webhooks: one process that listens on many ports. Each port answers 200 or hangs.
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { openRequests } from './child-requests.mjs'
import { endChild } from './children.mjs'

const PROGRAM = fileURLToPath(new URL('./receiver-process.mjs', import.meta.url))

/**
 * Opens the receiver. `expect` starts to count requests, and returns a promise for each of the counts, which
 * resolves with the time at which that count is reached.
 */
export async function openReceiver(atEnd, portCount) {
  const child = fork(PROGRAM, { serialization: 'advanced' })
  atEnd(() => endChild(child))
  const send = openRequests(child)
  const ports = await send('listen', { ports: portCount })

  return {
    ports,
    urls: ports.map((port) => `http://127.0.0.1:${port}/hook`),
    async expect(...counts) {
      await send('expect', { counts })
      return counts.map((count) => timeOfCount(child, count))
    },
    hang: (hangingPorts) => send('hang', { ports: hangingPorts }),
    recordArrivals: (events) => send('recordArrivals', { events }),
    arrivals: () => send('arrivals'),
    count: () => send('count'),
  }
}

function timeOfCount(child, count) {
  return new Promise((resolve) => {
    child.on('message', function onMessage({ reachedCount, at }) {
      if (reachedCount !== count) return
      child.off('message', onMessage)
      resolve(at)
    })
  })
}
