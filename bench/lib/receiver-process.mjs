// The process of the receiver of webhooks. It reads requests without an HTTP parser, so that it takes little
// processor time from the measured process.
import { createServer } from 'node:net'

const OK = Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
const END_OF_HEADERS = Buffer.from('\r\n\r\n')
/** Precedes the number of a timed event in its payload. */
const MARKER = Buffer.from('"bench":"')
const MARKER_DIGITS = 8

const hangingPorts = new Set()
const servers = []
let count = 0
/** The request counts at which the process sends a message, in ascending order. */
let reportedCounts = []
/** The time of the first arrival of each numbered event, or 0. */
let arrivals

const now = () => Number(process.hrtime.bigint()) / 1e6

const ACTIONS = {
  async listen({ ports }) {
    for (let n = 0; n < ports; n++) servers.push(await listen())
    return servers.map((server) => server.address().port)
  },
  /** Counts requests from 0, and sends a message with the time when each of these counts is reached. */
  expect({ counts }) {
    count = 0
    reportedCounts = [...counts]
  },
  /** Leaves requests to these ports without an answer. */
  hang({ ports }) {
    for (const port of ports) hangingPorts.add(port)
  },
  /** Starts to record the time at which each numbered event arrives. */
  recordArrivals({ events }) {
    arrivals = new Float64Array(events)
  },
  arrivals: () => arrivals,
  count: () => count,
}

process.on('message', async ({ id, action, ...details }) => {
  process.send({ id, answer: await ACTIONS[action](details) })
})
process.once('disconnect', () => process.exit())

function listen() {
  return new Promise((resolve) => {
    const server = createServer({ noDelay: true }, (socket) => {
      const { port } = server.address()
      if (hangingPorts.has(port)) return void socket.on('error', () => {}).resume()
      answerRequests(socket)
    })
    server.listen(0, '127.0.0.1', () => resolve(server))
  })
}

function answerRequests(socket) {
  let unread
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    let bytes = unread ? Buffer.concat([unread, chunk]) : chunk
    for (let length = lengthOf(bytes); length <= bytes.length; length = lengthOf(bytes)) {
      countRequest(bytes.subarray(0, length))
      socket.write(OK)
      bytes = bytes.subarray(length)
    }
    unread = bytes.length > 0 ? bytes : undefined
  })
}

/** Returns the length of the first request in these bytes, or infinity while its headers are incomplete. */
function lengthOf(bytes) {
  const end = bytes.indexOf(END_OF_HEADERS)
  if (end === -1) return Number.POSITIVE_INFINITY
  const [, length] = /\r\ncontent-length: *(\d+)/i.exec(bytes.latin1Slice(0, end))
  return end + END_OF_HEADERS.length + Number(length)
}

function countRequest(request) {
  if (arrivals) recordArrival(request)
  count++
  if (count !== reportedCounts[0]) return
  process.send({ reachedCount: reportedCounts.shift(), at: now() })
}

function recordArrival(request) {
  const from = request.indexOf(MARKER)
  if (from === -1) return
  const numberFrom = from + MARKER.length
  const number = Number(request.latin1Slice(numberFrom, numberFrom + MARKER_DIGITS))
  arrivals[number] ||= now()
}
