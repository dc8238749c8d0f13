// Keeps streams of live updates open in a separate process, so that reading them does not slow the benchmark.
import { request } from 'node:http'

/** @type {import('node:http').ClientRequest[]} */
let streams = []

process.on('message', async ({ id, action, url, cookies }) => {
  if (action === 'open') await Promise.all(cookies.map((cookie) => openStream(url, cookie)))
  if (action === 'close') {
    for (const stream of streams) stream.destroy()
    streams = []
  }
  process.send?.({ id })
})

function openStream(url, cookie) {
  return new Promise((resolve, reject) => {
    const call = request(url, { agent: false, headers: { cookie } }, (response) => {
      if (response.statusCode !== 200)
        reject(new Error(`A stream answered ${response.statusCode}.`))
      response.on('error', () => {}).resume()
      resolve(undefined)
    })
    call.on('error', reject)
    call.end()
    streams.push(call)
  })
}
