// An HTTP client that takes little processor time, so that a benchmark on two cores measures the server. A
// connection is kept alive and sends one request at a time. It uses no streams and no HTTP parser.
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { cpuOf } from './proc.mjs'

const END_OF_HEADERS = Buffer.from('\r\n\r\n')

export async function openConnection(address) {
  const { hostname, port, host } = new URL(address)
  let socket
  let pending
  let received = Buffer.alloc(0)
  const fail = (error) => pending?.reject(error)

  async function open() {
    const newSocket = connect(Number(port), hostname).setNoDelay(true)
    await once(newSocket, 'connect')
    newSocket.on('data', (chunk) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
      const answer = readAnswer(received)
      if (!answer) return
      received = Buffer.alloc(0)
      pending.resolve(answer)
    })
    newSocket.on('error', fail)
    newSocket.on('close', () => fail(new Error('The server closed the connection.')))
    socket = newSocket
  }
  await open()

  return {
    /** Sends a request created by `request`. Returns the status and the bytes of the body. */
    async send(bytes) {
      // The server closes a connection that is not used for some seconds.
      if (socket.destroyed) await open()
      return new Promise((resolve, reject) => {
        pending = { resolve, reject }
        socket.write(bytes)
      })
    },
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

/** Reads an answer with `content-length`. Returns undefined while it is incomplete. */
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
 * Makes calls at a steady rate. Returns the reached rate and the time of each call, from its due time. A call is
 * late if no connection is free.
 */
export async function runAtRate({ connections }, { perSecond, for_ms }, makeCall) {
  const startedAt = performance.now()
  const total = (perSecond * for_ms) / 1_000
  const times = []
  let started = 0
  await Promise.all(
    connections.map(async (connection, index) => {
      while (started < total) {
        const dueAt = startedAt + (started++ * 1_000) / perSecond
        const wait_ms = dueAt - performance.now()
        if (wait_ms > 0) await pause(wait_ms)
        await makeCall(connection, index)
        times.push(performance.now() - dueAt)
      }
    }),
  )
  return { perSecond: (times.length * 1_000) / (performance.now() - startedAt), times }
}

/**
 * Makes sequential calls on each connection. Returns the rate, the duration of each call, and the processor time of
 * a call in each of the processes `pids`, in milliseconds.
 */
export async function runClosedLoop({ connections, pids }, for_ms, makeCall) {
  const cpuBefore = pids.map(cpuOf)
  const startedAt = performance.now()
  const times = []
  await Promise.all(
    connections.map(async (connection, index) => {
      for (let callStartedAt = startedAt; callStartedAt - startedAt < for_ms; ) {
        await makeCall(connection, index)
        const end = performance.now()
        times.push(end - callStartedAt)
        callStartedAt = end
      }
    }),
  )
  const perSecond = (times.length * 1_000) / (performance.now() - startedAt)
  const cpu = pids.map((pid, index) => (cpuOf(pid) - cpuBefore[index]) / times.length)
  return { perSecond, times, cpu }
}
