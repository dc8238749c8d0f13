// The smallest server that answers /healthz, with which the program is compared. It runs in a separate process.
import { createServer } from 'node:http'

const server = createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end('{"status":"ok"}')
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address && typeof address === 'object') process.send?.({ port: address.port })
})
// The server ends with the process that started it, even if that process is killed.
process.once('disconnect', () => process.exit(0))
