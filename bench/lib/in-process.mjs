// A complete Tradepost in this process that reports its statements. It listens on a port and has no
// workers, which would send statements of their own.
import { join } from 'node:path'
import { ROOT } from './bench.mjs'
import { environment, unlimitedKey } from './shop.mjs'

const load = (file) => import(join(ROOT, 'dist', file))

/**
 * `onStatement` is called for each statement with its parameters, `begin` and `commit` included. The function
 * that it returns is called when the result has arrived.
 */
export async function openInProcess(later, { dataDir, databaseUrl }, onStatement) {
  const { readConfig } = await load('config/config.js')
  const { openApp } = await load('process/open-app.js')
  const { seedDemo } = await load('process/demo/seed-demo.js')
  const { openAuthentication } = await load('surfaces/store-authentication.js')
  const { openSurfaces } = await load('surfaces/server.js')
  const { pino } = await import('pino')

  const env = environment(dataDir, databaseUrl)
  const { config } = readConfig(env)
  const onConnect = (client) => listen(client, onStatement)
  const { app, close } = await openApp(config, { log: pino({ level: 'silent' }), onConnect })
  later(close)
  const stores = await seedDemo(app, { lively: false })
  const headers = await unlimitedKey({ ready: { stores }, env })
  const server = await openSurfaces(app, openAuthentication(app), {
    version: 'bench',
    storeApiUrl: config.publicUrl,
    leaving: () => false,
  })
  later(() => server.close())
  return { headers, origin: await server.listen({ port: 0, host: '127.0.0.1' }) }
}

function listen(client, onStatement) {
  const query = client.query.bind(client)
  client.query = (statement, values, ...rest) => {
    const text = typeof statement === 'string' ? statement : statement.text
    const done = onStatement(text, values ?? statement.values)
    const answer = query(statement, values, ...rest)
    if (done) answer.then(done, done)
    return answer
  }
}
