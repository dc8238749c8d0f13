// The process of the receiver. It reads requests without a parser, so that it takes little processor time
// from the measured process. Messages tell it what to expect; it answers when that has arrived.
import { createServer } from 'node:net'

const OK = Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
const END_OF_HEADERS = Buffer.from('\r\n\r\n')
/** Precedes the number of a timed event in its payload. */
const MARKER = Buffer.from('"bench":"')
const MARKER_DIGITS = 8

const hanging = new Set()
const servers = []
let count = 0
let marks = []
let arrivals

const now = () => Number(process.hrtime.bigint()) / 1e6

const ORDERS = {
  async listen({ ports }) {
    for (let n = 0; n < ports; n++) servers.push(await listen())
    return servers.map((server) => server.address().port)
  },
  /** Sends a message at each of these counts. */
  expect({ at }) {
    count = 0
    marks = [...at]
  },
  hang({ ports }) {
    for (const port of ports) hanging.add(port)
  },
  /** Starts to time the first arrival of each numbered event. */
  time({ events }) {
    arrivals = new Float64Array(events)
  },
  arrivals: () => arrivals,
  count: () => count,
}

process.on('message', async ({ id, order, ...details }) => {
  process.send({ id, answer: await ORDERS[order](details) })
})
process.once('disconnect', () => process.exit())

function listen() {
  return new Promise((resolve) => {
    const server = createServer({ noDelay: true }, (socket) => {
      const { port } = server.address()
      if (hanging.has(port)) return void socket.on('error', () => {}).resume()
      receive(socket)
    })
    server.listen(0, '127.0.0.1', () => resolve(server))
  })
}

function receive(socket) {
  let held
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    let bytes = held ? Buffer.concat([held, chunk]) : chunk
    for (let length = lengthOf(bytes); length <= bytes.length; length = lengthOf(bytes)) {
      record(bytes.subarray(0, length))
      socket.write(OK)
      bytes = bytes.subarray(length)
    }
    held = bytes.length > 0 ? bytes : undefined
  })
}

/** Length of the first request in these bytes; larger than the buffer while headers are missing. */
function lengthOf(bytes) {
  const end = bytes.indexOf(END_OF_HEADERS)
  if (end === -1) return Number.POSITIVE_INFINITY
  const [, length] = /\r\ncontent-length: *(\d+)/i.exec(bytes.latin1Slice(0, end))
  return end + END_OF_HEADERS.length + Number(length)
}

function record(request) {
  if (arrivals) time(request)
  count++
  if (count !== marks[0]) return
  process.send({ mark: marks.shift(), at: now() })
}

function time(request) {
  const from = request.indexOf(MARKER)
  if (from === -1) return
  const digits = from + MARKER.length
  const number = Number(request.latin1Slice(digits, digits + MARKER_DIGITS))
  arrivals[number] ||= now()
}
