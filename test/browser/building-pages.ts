import type { Json } from '../harness.ts'
import type { OpenedDashboard } from './dashboard-harness.ts'
import { type LicensedProgram, startLicensedProgram } from './licensed-program.ts'

/** An address without a listener. */
const UNUSED_URL = 'http://127.0.0.1:59999/a/path/that/is/rather/long'

/** A page of Client, Build or Settings. */
export interface BuildingPage {
  path: string
  /** `owners` if only owners may open the page; undefined if all roles may. */
  readers?: 'owners'
  /** True if the page belongs to the user, who may change it in every role. */
  isOfUser?: boolean
  /** True if the page offers a change to no role. */
  isReadOnly?: boolean
  /** The feature of the store that the page needs. */
  feature?: 'shipping'
}

/** Calls the private API as the signed-in owner. */
export async function callAsOwner(
  { server, context }: OpenedDashboard,
  method: 'GET' | 'POST',
  path: string,
  data?: Json,
): Promise<Json> {
  const url = `${server.origin}/dashboard/api/stores/${server.test.id}${path}`
  const headers = { origin: server.origin }
  const response = await context.request.fetch(url, {
    method,
    headers,
    ...(data !== undefined && { data }),
  })
  if (!response.ok()) throw new Error(`${method} ${path}: ${await response.text()}`)
  return response.json()
}

/** Creates a record of each kind, and returns every page of Client, Build and Settings. */
export async function createBuildingPages(
  dashboard: OpenedDashboard,
): Promise<Pick<LicensedProgram, 'app' | 'key'> & { pages: readonly BuildingPage[] }> {
  const { ask, management } = dashboard
  const { webhook } = await ask('POST', '/webhooks', { url: UNUSED_URL, events: ['order.created'] })
  const { delivery } = await ask('POST', `/webhooks/${webhook.id}/test`, {})
  const { app, key } = await startLicensedProgram(dashboard)
  const { serverside_string: string } = await management.serversideStrings.create({
    name: 'endpoint',
    value: 'https://game.example.com/v2',
  })
  const { serverside_file: file } = await management.serversideFiles.create({
    name: 'notes.txt',
    file: new Blob(['Hello\nworld']),
  })
  await management.serversideFiles.replaceContent(file.id, { file: new Blob(['Hello\nmoon']) })
  const { remote_setting: setting } = await management.remoteSettings.create({
    key: 'lobby',
    type: 'string',
    value: 'open',
  })
  await management.deviceBans.create({ ip_cidr: '203.0.113.0/24', reason: 'A farm of keys.' })
  const { api_keys } = await callAsOwner(dashboard, 'GET', '/api-keys')
  const pages: BuildingPage[] = [
    { path: '/apps' },
    { path: `/apps/${app.id}` },
    { path: '/license-keys' },
    { path: `/license-keys/${key.id}` },
    { path: `/license-keys/${key.id}/devices` },
    { path: `/license-keys/${key.id}/sessions` },
    { path: `/license-keys/${key.id}/history` },
    { path: '/strings' },
    { path: `/strings/${string.id}` },
    { path: '/files' },
    { path: `/files/${file.id}` },
    { path: '/license-keys/import' },
    { path: '/remote-settings' },
    { path: `/remote-settings/${setting.id}` },
    { path: '/client-sessions', isReadOnly: true },
    { path: '/device-bans' },
    { path: '/client-reports', isReadOnly: true },
    { path: '/rehearsal' },
    { path: '/api-keys' },
    { path: `/api-keys/${api_keys[0].id}` },
    { path: '/webhooks' },
    { path: `/webhooks/${webhook.id}` },
    { path: `/webhooks/${webhook.id}/deliveries` },
    { path: `/webhooks/${webhook.id}/settings` },
    { path: '/events', isReadOnly: true },
    { path: `/events/${delivery.event.id}` },
    { path: '/events/deliveries', isReadOnly: true },
    { path: '/events/types', isReadOnly: true },
    { path: `/events/deliveries/${delivery.id}` },
    { path: '/request-log', isReadOnly: true },
    { path: '/settings/store' },
    { path: '/settings/payments' },
    { path: '/settings/shipping', feature: 'shipping' },
    { path: '/settings/shipping/locations', feature: 'shipping' },
    { path: '/settings/team' },
    { path: '/settings/account', isOfUser: true },
    { path: '/settings/wallet' },
    { path: '/settings/wallet/ledger', isReadOnly: true },
    { path: '/settings/mail' },
    { path: '/settings/mail/order_paid/en' },
    { path: '/settings/outbox' },
    { path: '/settings/audit', isReadOnly: true },
    { path: '/settings/system', readers: 'owners' },
  ]
  return { app, key, pages }
}
