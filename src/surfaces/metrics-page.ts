import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { App } from '../app.ts'
import { Connections, LIMITS } from '../http/connections.ts'
import type { Metrics } from './metrics.ts'

/** `/metrics`, at an address of its own: it names routes and counts, which are not for the public. */
export interface MetricsPage {
  url: string
  close(): Promise<void>
}

const PATH = '/metrics'

/**
 * Serves the metrics of this process at the address of the settings. Undefined if it is off, or cannot be
 * listened on: that is a warning, because a shop without metrics still sells.
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
        log.warn({ err }, 'the metrics could not be printed')
        response.destroy()
      },
    )
  })
  const close = (socket: { destroy(): void }) => void socket.destroy()
  const events = { refuse: close, expire: close, onRefused: () => {} }
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
      'metrics are not served; set TRADEPOST_METRICS_ADDRESS to a free address, or to off',
    )
    return undefined
  }
  // An accept that fails, for want of file descriptors, must not end the process.
  server.on('error', (err) => log.warn({ err }, 'a connection for metrics failed'))
  const shown = host.includes(':') ? `[${host}]` : host
  return {
    url: `http://${shown}:${(server.address() as AddressInfo).port}${PATH}`,
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
  if (url.split('?')[0] !== PATH) return void response.writeHead(404).end(`Ask for ${PATH}.\n`)
  if (!['GET', 'HEAD'].includes(method)) {
    return void response.writeHead(405, { allow: 'GET, HEAD' }).end(`Ask with GET.\n`)
  }
  const page = await print()
  response.writeHead(200, { 'content-type': contentType, 'cache-control': 'no-store' }).end(page)
}
