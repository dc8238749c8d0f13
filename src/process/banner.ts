import type { App } from '../app.ts'
import { keysFileOf } from './first-keys.ts'
import type { ReadyFile } from './ready-file.ts'

interface Start {
  demo: boolean
  metricsUrl?: string | undefined
  /** A one-time link for the demo store's owner. */
  signInUrl?: string | undefined
  /** The link with which the first store is created. */
  firstStartUrl?: string | undefined
}

/** Returns the text that a start prints: addresses, stores, an example call, and the file with the keys. */
export function banner({ config }: Pick<App, 'config'>, ready: ReadyFile, start: Start): string {
  const lines = [
    `Tradepost ${ready.version} is running.`,
    '',
    ...addresses(ready, start),
    ...stores(ready),
    ...nextStep(ready, config.dataDir),
    '',
    ...dataLines(ready.database, config.dataDir),
  ]
  if (start.demo && !config.areAllowedHostsSet && config.webhookAllowedHosts.size > 0) {
    const hosts = [...config.webhookAllowedHosts].join(' and ')
    lines.push(`  Webhooks may go to ${hosts} over http: this is a demo.`)
  }
  return [...lines, '  Press Ctrl+C to stop.', ''].join('\n')
}

function addresses(
  { store_api, security_api, dashboard }: ReadyFile,
  { metricsUrl, signInUrl, firstStartUrl }: Start,
): string[] {
  const metrics = metricsUrl ? [`  Metrics    ${metricsUrl}`] : []
  if (!store_api) return metrics
  return [
    ...(signInUrl
      ? [`  Dashboard  ${signInUrl}`, '             (signs in once, within an hour)']
      : firstStartUrl
        ? [
            `  Begin      ${firstStartUrl}`,
            '             (creates your account and your store, once)',
          ]
        : [`  Dashboard  ${dashboard}`]),
    `  Reference  ${store_api.replace(/v1$/, 'docs')}`,
    `  Store API  ${store_api}`,
    `  Security   ${security_api}`,
    ...metrics,
  ]
}

function stores({ stores }: ReadyFile): string[] {
  if (stores.length === 0) return []
  return [
    '',
    ...stores.map(
      ({ slug, livemode, id }) => `  ${slug.padEnd(10)} ${id} ${livemode ? '(live)' : '(test)'}`,
    ),
  ]
}

/** Returns an example call with a new key. A later start has no key to show, so it names the command that creates one. */
function nextStep({ stores: sides, store_api }: ReadyFile, dataDir: string): string[] {
  const testSide = sides.find((side) => !side.livemode && side.api_key)
  if (testSide?.api_key && store_api) {
    return [
      '',
      '  Try it, with the key of the test side:',
      '',
      `    ${curl(store_api, testSide.id, testSide.api_key)}`,
      '',
      `  All keys, shown once: ${keysFileOf(dataDir)}`,
    ]
  }
  const [live] = sides
  if (!live) return []
  return [
    '',
    '  For another key:',
    '',
    `    npx tradepost keys create --store ${live.id} --permissions all`,
  ]
}

const dataLines = (database: ReadyFile['database'], dataDir: string) =>
  database === 'embedded'
    ? [
        `  Data in ${dataDir}`,
        '  To move it to a PostgreSQL server (DATABASE_URL=postgres://…), see docs/guides/backup.md',
      ]
    : ['  Data on the database server.']

const curl = (api: string, store: string, key: string) =>
  `curl -s ${api}/products -H 'x-api-key: ${key}' -H 'x-store-hash: ${store}'`
