import type { App } from '../app.ts'
import { keysFileOf } from './first-keys.ts'
import type { Ready } from './ready-file.ts'

interface Start {
  demo: boolean
  metricsUrl?: string | undefined
  /** A one-time link for the demo store's owner. */
  signInUrl?: string | undefined
}

/** The text that a start prints: the addresses, one call to try, where the keys are, and what to do next. */
export function banner({ config }: Pick<App, 'config'>, ready: Ready, start: Start): string {
  const lines = [
    `Tradepost ${ready.version} is open.`,
    '',
    ...addresses(ready, start),
    ...stores(ready),
    ...nextStep(ready, config.dataDir),
    '',
    ready.database === 'embedded'
      ? `  Data in ${config.dataDir}`
      : '  Data on the database server.',
  ]
  if (start.demo && !config.webhookAllowedHostsGiven && config.webhookAllowedHosts.size > 0) {
    const hosts = [...config.webhookAllowedHosts].join(' and ')
    lines.push(`  Webhooks may go to ${hosts} over http: this is a demo.`)
  }
  if (ready.database === 'embedded')
    lines.push('  To move to a server, set DATABASE_URL=postgres://user:password@host/database')
  return [...lines, '  Press Ctrl+C to stop.', ''].join('\n')
}

function addresses(
  { store_api, security_api, dashboard }: Ready,
  { metricsUrl, signInUrl }: Start,
): string[] {
  const metrics = metricsUrl ? [`  Metrics    ${metricsUrl}`] : []
  if (!store_api) return metrics
  return [
    ...(signInUrl
      ? [`  Dashboard  ${signInUrl}`, '             (signs in once, within an hour)']
      : [`  Dashboard  ${dashboard}`]),
    `  Reference  ${store_api.replace(/v1$/, 'docs')}`,
    `  Store API  ${store_api}`,
    `  Security   ${security_api}`,
    ...metrics,
  ]
}

function stores({ stores }: Ready): string[] {
  if (stores.length === 0) return []
  return [
    '',
    ...stores.map(
      ({ slug, livemode, id }) => `  ${slug.padEnd(10)} ${id} ${livemode ? '(live)' : '(test)'}`,
    ),
  ]
}

/** A call that works with a key of this start; a later start has no key to show, and says how to create one. */
function nextStep({ stores: sides, store_api }: Ready, dataDir: string): string[] {
  const first = sides.find((side) => !side.livemode && side.api_key)
  if (first?.api_key && store_api) {
    return [
      '',
      '  Try it, with the key of the test side:',
      '',
      `    ${curl(store_api, first.id, first.api_key)}`,
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

const curl = (api: string, store: string, key: string) =>
  `curl -s ${api}/products -H 'x-api-key: ${key}' -H 'x-store-hash: ${store}'`
