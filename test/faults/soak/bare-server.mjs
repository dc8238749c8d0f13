// The calibration: the least that answers /healthz, in a process of its own.
import { createServer } from 'node:http'

const server = createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end('{"status":"ok"}')
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address && typeof address === 'object') process.send?.({ port: address.port })
})
// It ends with the process that started it, however that one ends.
process.once('disconnect', () => process.exit(0))
