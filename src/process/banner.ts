import type { App } from '../app.ts'
import type { Ready } from './ready-file.ts'

interface Start {
  demo: boolean
  metricsUrl?: string | undefined
}

/** What a person reads when the shop is open: where it is, the keys that were just made, what next. */
export function banner({ config }: App, ready: Ready, { demo, metricsUrl }: Start): string {
  const lines = [`Tradepost ${ready.version} is open.`, '']
  if (ready.store_api)
    lines.push(
      `  Store API  ${ready.store_api}`,
      `  Security   ${ready.security_api}`,
      `  Reference  ${ready.store_api.replace(/v1$/, 'docs')}`,
    )
  if (metricsUrl) lines.push(`  Metrics    ${metricsUrl}`)
  for (const side of ready.stores) {
    lines.push(
      '',
      `  ${side.slug}, ${side.livemode ? 'live' : 'test'} side`,
      `    store id  ${side.id}`,
    )
    if (side.api_key) lines.push(`    API key   ${side.api_key}  (shown once)`)
    if (side.security_key) lines.push(`    security  ${side.security_key}  (shown once)`)
    if (side.app_public_id) lines.push(`    app       ${side.app_public_id}`)
  }
  lines.push(...nextStep(ready))
  lines.push(
    '',
    ready.database === 'embedded'
      ? `  Data in ${config.dataDir}`
      : '  Data on the database server.',
  )
  if (demo && !config.webhookAllowedHostsGiven && config.webhookAllowedHosts.size > 0) {
    lines.push(
      `  Webhooks may go to ${[...config.webhookAllowedHosts].join(' and ')} over http: this is a demo.`,
    )
  }
  if (ready.database === 'embedded') {
    lines.push('  To move to a server, set DATABASE_URL=postgres://user:password@host/database')
  }
  return [...lines, '  Press Ctrl+C to stop.', ''].join('\n')
}

/** A call that works with the key above; or how to get a key, for those of an earlier start are gone. */
function nextStep({ stores: [live], store_api }: Ready): string[] {
  if (!live) return []
  const { id, api_key } = live
  return api_key
    ? ['', '  Try it:', '', `    ${curl(store_api, id, api_key)}`]
    : [
        '',
        `  For another key:`,
        '',
        `    npx tradepost keys create --store ${id} --permissions all`,
      ]
}

const curl = (api: string | undefined, store: string, key: string) =>
  `curl -s ${api}/products -H 'x-api-key: ${key}' -H 'x-store-hash: ${store}'`
