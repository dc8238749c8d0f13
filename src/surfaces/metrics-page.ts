import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { App } from '../app.ts'
import { Connections, LIMITS } from '../http/connections.ts'
import type { Metrics } from './metrics.ts'

/** The page `/metrics`. It has its own address, because routes and counts must not be public. */
interface MetricsPage {
  url: string
  close(): Promise<void>
}

const PATH = '/metrics'

/**
 * Serves the metrics of this process at the configured address. Returns undefined if metrics are off. If the
 * address is unavailable, also returns undefined and logs a warning, because the server works without metrics.
 */
export async function openMetricsPage(
  { config, db, log }: Pick<App, 'config' | 'db' | 'log'>,
  metrics: Metrics,
): Promise<MetricsPage | undefined> {
  if (!config.metricsAddress) return undefined
  const { host, port } = config.metricsAddress
  const server = createServer((request, response) => {
    answer(request, response, () => metrics.print({ db, log }), metrics.contentType).catch(
      (err) => {
        log.warn({ err }, 'Could not print the metrics')
        response.destroy()
      },
    )
  })
  const destroy = (socket: { destroy(): void }) => void socket.destroy()
  const events = { refuse: destroy, expire: destroy, onRefused: () => {} }
  const connections = new Connections(server, LIMITS, events)
  const failure = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
    server.once('error', resolve)
    server.listen(port, host, () => resolve(undefined))
  })
  if (failure) {
    connections.stop()
    const address = { host, port, reason: failure.code }
    log.warn(
      address,
      'Metrics are not served. Set TRADEPOST_METRICS_ADDRESS to a free address, or to off',
    )
    return undefined
  }
  // Without a listener, an error such as too many open files would end the process.
  server.on('error', (err) => log.warn({ err }, 'A connection for metrics failed'))
  const urlHost = host.includes(':') ? `[${host}]` : host
  return {
    url: `http://${urlHost}:${(server.address() as AddressInfo).port}${PATH}`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
      connections.stop()
    },
  }
}

async function answer(
  { url = '', method = '' }: IncomingMessage,
  response: ServerResponse,
  print: () => Promise<string>,
  contentType: string,
): Promise<void> {
  if (url.split('?')[0] !== PATH)
    return void response.writeHead(404).end(`Not found. Use ${PATH}.\n`)
  if (!['GET', 'HEAD'].includes(method)) {
    return void response.writeHead(405, { allow: 'GET, HEAD' }).end(`Use GET.\n`)
  }
  const page = await print()
  response.writeHead(200, { 'content-type': contentType, 'cache-control': 'no-store' }).end(page)
}
