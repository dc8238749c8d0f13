import type { Endpoint } from '../../src/http/endpoint.ts'
import { type Answer, expectSuccess, type Json } from '../harness.ts'
import type { Seller } from './seller.ts'

/** The input of a call. */
export interface CallInput {
  params?: Record<string, string | number>
  body?: Json
}
type Prepare = (seller: Seller) => Promise<CallInput>

let count = 0
export const newName = (prefix: string): string => `${prefix}-${++count}`

export const createApp = async (seller: Seller): Promise<Json> =>
  (await expectSuccess(seller.post('/apps', { name: newName('editor') }))).app
export const createString = async (seller: Seller, fields: Json = {}): Promise<Json> =>
  (
    await expectSuccess(
      seller.post('/serverside-strings', {
        name: newName('greeting'),
        value: 'Welcome back.',
        ...fields,
      }),
    )
  ).serverside_string
export async function createFile(
  seller: Seller,
  fields: Json = {},
  bytes: string | Buffer = 'bytes',
): Promise<Json> {
  const query = new URLSearchParams({ name: newName('plugin'), ...fields })
  const headers = { 'content-type': 'application/octet-stream' }
  const answer = seller.call('POST', `/serverside-files?${query}`, { raw: bytes, headers })
  return (await expectSuccess(answer)).serverside_file
}
export const createSetting = async (seller: Seller, fields: Json = {}): Promise<Json> =>
  (
    await expectSuccess(
      seller.post('/remote-settings', {
        key: newName('max_layers'),
        type: 'integer',
        value: 1,
        ...fields,
      }),
    )
  ).remote_setting
export const createLicenseKey = async (seller: Seller, fields: Json = {}): Promise<Json> =>
  (await expectSuccess(seller.post('/keys', fields))).keys[0]
const createBan = async (seller: Seller): Promise<Json> =>
  (
    await expectSuccess(
      seller.post('/device-bans', { ip_cidr: '203.0.113.7', reason: 'Charged back.' }),
    )
  ).device_ban

const createBannedKey = async (seller: Seller): Promise<Json> => {
  const key = await createLicenseKey(seller)
  await expectSuccess(seller.post(`/keys/${key.id}/ban`, { reason: 'Charged back.' }))
  return key
}

const withRecord =
  (create: (seller: Seller) => Promise<Json>, body?: Json): Prepare =>
  async (seller) => ({ params: { id: (await create(seller)).id }, body })

/** Prepares a successful call of every management endpoint with a JSON body or none. */
export const preparedCalls: Record<string, Prepare> = {
  'apps.list': async () => ({}),
  'apps.create': async () => ({ body: { name: newName('editor') } }),
  'apps.get': withRecord(createApp),
  'apps.update': withRecord(createApp, { min_version: '1.2' }),
  'apps.delete': withRecord(createApp),
  'apps.list_signing_keys': withRecord(createApp),
  'apps.rotate_signing_key': withRecord(createApp, {}),
  'serverside_strings.list': async () => ({}),
  'serverside_strings.create': async () => ({
    body: { name: newName('greeting'), value: 'Welcome back.' },
  }),
  'serverside_strings.get': withRecord(createString),
  'serverside_strings.replace': async (seller) => ({
    params: { id: (await createString(seller)).id },
    body: { name: newName('greeting'), value: 'Welcome.' },
  }),
  'serverside_strings.switch': withRecord(createString, { status: 'inactive' }),
  'serverside_strings.delete': withRecord(createString),
  'serverside_files.list': async () => ({}),
  'serverside_files.get': withRecord(createFile),
  'serverside_files.update': withRecord(createFile, { status: 'inactive' }),
  'serverside_files.delete': withRecord(createFile),
  'remote_settings.list': async () => ({}),
  'remote_settings.create': async () => ({
    body: { key: newName('max_layers'), type: 'json', value: {} },
  }),
  'remote_settings.replace': async (seller) => ({
    body: {
      app_id: (await createApp(seller)).id,
      settings: [{ key: 'beta', type: 'boolean', value: true }],
    },
  }),
  'remote_settings.get': withRecord(createSetting),
  'remote_settings.update': withRecord(createSetting, { value: 2 }),
  'remote_settings.delete': withRecord(createSetting),
  'remote_settings.list_versions': withRecord(createSetting),
  'remote_settings.roll_back': withRecord(createSetting, { version: 1 }),
  'license_keys.list': async () => ({}),
  'license_keys.create': async () => ({ body: { count: 2 } }),
  'license_keys.import': async () => ({ body: { keys: [{ key: newName('OLD') }] } }),
  'license_keys.batch': async (seller) => ({
    body: { action: 'ban', ids: [(await createLicenseKey(seller)).id], reason: 'Charged back.' },
  }),
  'license_keys.get': withRecord(createLicenseKey),
  'license_keys.update': withRecord(createLicenseKey, { level: 3 }),
  'license_keys.delete': withRecord(createLicenseKey),
  'license_keys.ban': withRecord(createLicenseKey, { reason: 'Charged back.' }),
  'license_keys.unban': withRecord(createBannedKey),
  'license_keys.extend': withRecord(
    (seller) => createLicenseKey(seller, { duration_seconds: 60 }),
    { seconds: 60 },
  ),
  'license_keys.rotate': withRecord(createLicenseKey),
  'license_keys.list_devices': withRecord(createLicenseKey),
  'license_keys.reset_devices': withRecord(createLicenseKey, {}),
  'license_keys.list_sessions': withRecord(createLicenseKey),
  'license_keys.end_sessions': withRecord(createLicenseKey),
  'device_bans.list': async () => ({}),
  'device_bans.create': async () => ({
    body: { ip_cidr: '203.0.113.0/24', reason: 'Charged back.' },
  }),
  'device_bans.delete': withRecord(createBan),
  'client_reports.list': async () => ({}),
  'audit_events.list': async () => ({}),
}

/** Returns the path with the values of its parameters. */
export const pathOf = (endpoint: Endpoint, params: CallInput['params'] = {}): string =>
  endpoint.path.replace(/:([a-z_]+)/g, (_, name) => encodeURIComponent(String(params[name] ?? '')))

export const callEndpoint = (
  seller: Seller,
  endpoint: Endpoint,
  { params, body }: CallInput,
): Promise<Answer> => seller.call(endpoint.method, pathOf(endpoint, params), { body })
