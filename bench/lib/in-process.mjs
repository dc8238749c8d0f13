// A complete Tradepost in this process, which reports its statements. It listens on a port. It has no workers,
// because their statements would also be counted.
import { join } from 'node:path'
import { ROOT } from './bench.mjs'
import { environment, unlimitedKey } from './server.mjs'

export const importBuilt = (file) => import(join(ROOT, 'dist', file))

/**
 * Starts the server in this process. It calls `onStatement` with each statement and its parameters, `begin` and
 * `commit` included. If `onStatement` returns a function, it is called when the result has arrived.
 */
export async function openInProcess(atEnd, { dataDir, databaseUrl }, onStatement) {
  const { readConfig } = await importBuilt('config/config.js')
  const { openApp } = await importBuilt('process/open-app.js')
  const { seedDemo } = await importBuilt('process/demo/seed-demo.js')
  const { openAuthentication } = await importBuilt('surfaces/store-authentication.js')
  const { openSurfaces } = await importBuilt('surfaces/server.js')
  const { pino } = await import('pino')

  const env = environment(dataDir, databaseUrl)
  const { config } = readConfig(env)
  const onConnect = (client) => reportStatements(client, onStatement)
  const { app, close } = await openApp(config, {
    log: pino({ level: 'silent' }),
    onConnect,
  })
  atEnd(close)
  const stores = await seedDemo(app, { lively: false })
  const headers = await unlimitedKey({ ready: { stores }, env })
  const server = await openSurfaces(app, openAuthentication(app), {
    version: 'bench',
    storeApiUrl: config.publicUrl,
    isStopping: () => false,
  })
  atEnd(() => server.close())
  return { app, headers, origin: await server.listen({ port: 0, host: '127.0.0.1' }) }
}

function reportStatements(client, onStatement) {
  const query = client.query.bind(client)
  client.query = (statement, values, ...args) => {
    const text = typeof statement === 'string' ? statement : statement.text
    // The settings of the planner before and after a statement are a part of the statement (decision 67).
    if (text.startsWith('set plan_cache_mode')) return query(statement, values, ...args)
    const onResult = onStatement(text, values ?? statement.values)
    const result = query(statement, values, ...args)
    if (onResult) result.then(onResult, onResult)
    return result
  }
}
