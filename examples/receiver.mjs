// A receiver of webhooks: verifies each signature and prints the event.
//
//   npx tradepost webhooks listen --store HASH --forward http://127.0.0.1:3000/hook   prints a secret
//   WEBHOOK_SECRET=whsec_… node examples/receiver.mjs                                 in another terminal
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { verify, WebhookVerificationError } from '@tradepost/client/webhooks'

const secret = process.env.WEBHOOK_SECRET ?? ''
const port = Number(process.env.RECEIVER_PORT ?? 3000)

const say = (line) => void process.stdout.write(`${line}\n`)

const server = createServer(async (request, response) => {
  try {
    // The raw bytes are signed, so the JSON is parsed after the check.
    const event = await verify(await buffer(request), request.headers, secret)
    say(`${event.type} ${event.id}, signature verified`)
    response.writeHead(204).end()
  } catch (error) {
    say(String(error))
    const refused = error instanceof WebhookVerificationError
    response.writeHead(refused ? 400 : 500).end(refused ? error.fault : '')
  }
})
server.listen(port, '127.0.0.1', () => {
  say(`Waiting for webhooks at http://127.0.0.1:${server.address().port}/hook`)
})
