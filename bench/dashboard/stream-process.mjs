// Holds open streams of live updates in a process of its own, so that reading them costs the benchmark nothing.
import { request } from 'node:http'

/** @type {import('node:http').ClientRequest[]} */
let open = []
let messages = 0

process.on('message', async ({ id, order, url, cookies }) => {
  if (order === 'open') await Promise.all(cookies.map((cookie) => openOne(url, cookie)))
  if (order === 'close') {
    for (const item of open) item.destroy()
    open = []
  }
  process.send?.({ id, answer: { messages } })
})

function openOne(url, cookie) {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent: false, headers: { cookie } }, (response) => {
      if (response.statusCode !== 200)
        reject(new Error(`A stream answered ${response.statusCode}.`))
      response.on('data', (chunk) => {
        messages += String(chunk).split('\nevent: ').length - 1
      })
      response.on('error', () => {})
      resolve(undefined)
    })
    sent.on('error', reject)
    sent.end()
    open.push(sent)
  })
}
