import type { Endpoint } from '../../src/http/endpoint.ts'
import { securityEndpoints } from '../../src/surfaces/security-api.ts'
import type { Answer, Json } from '../harness.ts'
import { made, type Seller } from './seller.ts'

/** A successful call for every management endpoint. The tests iterate over these. */
export interface Ask {
  params?: Record<string, string | number>
  body?: Json
}
type Prepare = (seller: Seller) => Promise<Ask>

let count = 0
export const fresh = (prefix: string): string => `${prefix}-${++count}`

export const anApp = async (seller: Seller): Promise<Json> =>
  (await made(seller.post('/apps', { name: fresh('app') }))).app
export const aString = async (seller: Seller, fields: Json = {}): Promise<Json> =>
  (await made(seller.post('/serverside-strings', { name: fresh('text'), value: 'v', ...fields })))
    .serverside_string
export async function aFile(seller: Seller, fields: Json = {}, bytes = 'bytes'): Promise<Json> {
  const query = new URLSearchParams({ name: fresh('file'), ...fields })
  const headers = { 'content-type': 'application/octet-stream' }
  const answer = seller.call('POST', `/serverside-files?${query}`, { raw: bytes, headers })
  return (await made(answer)).serverside_file
}
export const aSetting = async (seller: Seller, fields: Json = {}): Promise<Json> =>
  (
    await made(
      seller.post('/remote-settings', {
        key: fresh('k'),
        type: 'integer',
        value: 1,
        ...fields,
      }),
    )
  ).remote_setting
export const aKey = async (seller: Seller, fields: Json = {}): Promise<Json> =>
  (await made(seller.post('/keys', fields))).keys[0]
export const aBan = async (seller: Seller): Promise<Json> =>
  (await made(seller.post('/device-bans', { ip_cidr: '203.0.113.7', reason: 'Test' }))).device_ban

const of =
  (make: (seller: Seller) => Promise<Json>, body?: Json): Prepare =>
  async (seller) => ({ params: { id: (await make(seller)).id }, body })

export const walks: Record<string, Prepare> = {
  'apps.list': async () => ({}),
  'apps.create': async () => ({ body: { name: fresh('app') } }),
  'apps.get': of(anApp),
  'apps.update': of(anApp, { min_version: '1.2' }),
  'apps.delete': of(anApp),
  'apps.list_signing_keys': of(anApp),
  'apps.rotate_signing_key': of(anApp, {}),
  'serverside_strings.list': async () => ({}),
  'serverside_strings.create': async () => ({ body: { name: fresh('text'), value: 'v' } }),
  'serverside_strings.get': of(aString),
  'serverside_strings.replace': async (seller) => ({
    params: { id: (await aString(seller)).id },
    body: { name: fresh('text'), value: 'w' },
  }),
  'serverside_strings.switch': of(aString, { status: 'inactive' }),
  'serverside_strings.delete': of(aString),
  'serverside_files.list': async () => ({}),
  'serverside_files.get': of(aFile),
  'serverside_files.update': of(aFile, { status: 'inactive' }),
  'serverside_files.delete': of(aFile),
  'remote_settings.list': async () => ({}),
  'remote_settings.create': async () => ({ body: { key: fresh('k'), type: 'json', value: {} } }),
  'remote_settings.replace': async (seller) => ({
    body: {
      app_id: (await anApp(seller)).id,
      settings: [{ key: 'a', type: 'boolean', value: true }],
    },
  }),
  'remote_settings.get': of(aSetting),
  'remote_settings.update': of(aSetting, { value: 2 }),
  'remote_settings.delete': of(aSetting),
  'remote_settings.list_versions': of(aSetting),
  'remote_settings.roll_back': of(aSetting, { version: 1 }),
  'license_keys.list': async () => ({}),
  'license_keys.create': async () => ({ body: { count: 2 } }),
  'license_keys.import': async () => ({ body: { keys: [{ key: fresh('OLD') }] } }),
  'license_keys.batch': async (seller) => ({
    body: { action: 'ban', ids: [(await aKey(seller)).id], reason: 'Test' },
  }),
  'license_keys.get': of(aKey),
  'license_keys.update': of(aKey, { level: 3 }),
  'license_keys.delete': of(aKey),
  'license_keys.ban': of(aKey, { reason: 'Test' }),
  'license_keys.unban': of(aKey),
  'license_keys.extend': of((seller) => aKey(seller, { duration_seconds: 60 }), { seconds: 60 }),
  'license_keys.rotate': of(aKey),
  'license_keys.list_devices': of(aKey),
  'license_keys.reset_devices': of(aKey, {}),
  'license_keys.list_sessions': of(aKey),
  'license_keys.end_sessions': of(aKey),
  'device_bans.list': async () => ({}),
  'device_bans.create': async () => ({ body: { ip_cidr: '203.0.113.0/24', reason: 'Test' } }),
  'device_bans.delete': of(aBan),
  'client_reports.list': async () => ({}),
  'audit_events.list': async () => ({}),
}

export const walked: readonly Endpoint[] = securityEndpoints

/** The path with its parameters filled in. */
export const pathOf = (e: Endpoint, params: Ask['params'] = {}): string =>
  e.path.replace(/:([a-z_]+)/g, (_, name) => encodeURIComponent(String(params[name] ?? '')))

export const askOf = (seller: Seller, e: Endpoint, { params, body }: Ask): Promise<Answer> =>
  seller.call(e.method, pathOf(e, params), { body })
