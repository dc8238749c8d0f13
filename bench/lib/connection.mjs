// A cheap keep-alive connection, so that a benchmark on two cores measures the server and not the client.
// It has no streams and no parser, and sends one request at a time.
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { cpuOf } from './proc.mjs'

const END_OF_HEADERS = Buffer.from('\r\n\r\n')

export async function openConnection(address) {
  const { hostname, port, host } = new URL(address)
  const socket = connect(Number(port), hostname).setNoDelay(true)
  await once(socket, 'connect')
  let waiting
  let received = Buffer.alloc(0)

  socket.on('data', (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    const answer = readAnswer(received)
    if (!answer) return
    received = Buffer.alloc(0)
    waiting.resolve(answer)
  })
  const fail = (error) => waiting?.reject(error ?? new Error('The server closed the connection.'))
  socket.on('error', fail)
  socket.on('close', () => fail())

  return {
    /** Sends a request created by `request`. Returns the status and the bytes of the body. */
    send: (bytes) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject }
        socket.write(bytes)
      }),
    request: (method, path, headers, body) => request(host, { method, path, headers, body }),
    close: () => socket.destroy(),
  }
}

function request(host, { method, path, headers, body }) {
  const payload = body === undefined ? '' : JSON.stringify(body)
  const lines = [`${method} ${path} HTTP/1.1`, `host: ${host}`]
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`)
  if (payload) lines.push('content-type: application/json')
  if (payload) lines.push(`content-length: ${Buffer.byteLength(payload)}`)
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${payload}`)
}

/** A complete answer with `content-length`; undefined while bytes are missing. */
function readAnswer(bytes) {
  const end = bytes.indexOf(END_OF_HEADERS)
  if (end === -1) return undefined
  const head = bytes.latin1Slice(0, end)
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN)
  if (Number.isNaN(length)) throw new Error('The answer has no content-length.')
  const body = bytes.subarray(end + END_OF_HEADERS.length)
  return body.length < length ? undefined : { status: Number(head.slice(9, 12)), body }
}

/**
 * Starts calls at a steady rate, whether or not earlier ones have ended. Measures each call from its due
 * time.
 */
export async function pace({ connections }, { perSecond, for_ms }, work) {
  const begun = performance.now()
  const total = (perSecond * for_ms) / 1_000
  const times = []
  let taken = 0
  await Promise.all(
    connections.map(async (connection, at) => {
      while (taken < total) {
        const due = begun + (taken++ * 1_000) / perSecond
        const wait_ms = due - performance.now()
        if (wait_ms > 0) await pause(wait_ms)
        await work(connection, at)
        times.push(performance.now() - due)
      }
    }),
  )
  return { perSecond: (times.length * 1_000) / (performance.now() - begun), times }
}

/**
 * Runs calls in a closed loop on each connection. Returns the rate, the duration of each call, and the
 * processor time of the processes `pids` in milliseconds.
 */
export async function loop({ connections, pids }, for_ms, work) {
  const before = pids.map(cpuOf)
  const begun = performance.now()
  const times = []
  await Promise.all(
    connections.map(async (connection, at) => {
      for (let now = begun; now - begun < for_ms; ) {
        await work(connection, at)
        const done = performance.now()
        times.push(done - now)
        now = done
      }
    }),
  )
  const perSecond = (times.length * 1_000) / (performance.now() - begun)
  const cpu = pids.map((pid, at) => (cpuOf(pid) - before[at]) / times.length)
  return { perSecond, times, cpu }
}
