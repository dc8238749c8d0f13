// The receiver of webhooks: one process with many addresses, which answers 200 or hangs.
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { askable } from './askable.mjs'
import { endChild } from './children.mjs'

const PROGRAM = fileURLToPath(new URL('./receiver-process.mjs', import.meta.url))

/** `expect` returns a promise for each count of requests, with the moment when it is reached. */
export async function openReceiver(later, count) {
  const child = fork(PROGRAM, { serialization: 'advanced' })
  later(() => endChild(child))
  const ask = askable(child)
  const ports = await ask('listen', { ports: count })

  return {
    ports,
    urls: ports.map((port) => `http://127.0.0.1:${port}/hook`),
    async expect(...at) {
      await ask('expect', { at })
      return at.map((goal) => markOf(child, goal))
    },
    hang: (some) => ask('hang', { ports: some }),
    time: (events) => ask('time', { events }),
    arrivals: () => ask('arrivals'),
    count: () => ask('count'),
  }
}

function markOf(child, goal) {
  return new Promise((resolve) => {
    child.on('message', function onMessage({ mark, at }) {
      if (mark !== goal) return
      child.off('message', onMessage)
      resolve(at)
    })
  })
}
