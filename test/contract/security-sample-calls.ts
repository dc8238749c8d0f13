import type { StoreSide } from '../../src/features/store/account/index.ts'
import type { ClientEndpoint } from '../../src/http/client-endpoint.ts'
import type { Endpoint } from '../../src/http/endpoint.ts'
import { product } from '../build.ts'
import {
  callEndpoint,
  createFile,
  createLicenseKey,
  createSetting,
  createString,
  pathOf,
  preparedCalls,
} from '../client-security/prepared-calls.ts'
import { createProgram, type Program } from '../client-security/program.ts'
import { createSeller, type Seller } from '../client-security/seller.ts'
import { formOf } from '../form.ts'
import type { Answer, Json, Tradepost } from '../harness.ts'

// The calls of the Client Security API whose bodies and answers become the samples of the reference.

/** A call, and the body that it sends. The body of an upload is a form, which has no sample. */
export interface SampleCall {
  /** The path of the endpoint, and the values of its parameters. */
  path: string
  params: Record<string, string | number> | undefined
  bodies: Json[]
  send(body: Json): Promise<Answer>
}

/** A store with a license key and a program that has a session on a device. */
interface World {
  tradepost: Tradepost
  side: StoreSide
  seller: Seller
  program: Program & { appId: number }
  key: Json
  device_id: number
  token: string
}

const FINGERPRINT = 'a1b2c3d4e5f60718'
const NONCE = 'q7c0p3Jm1nVxXr2yG5bTzA'
const DEVICE = { fingerprint: FINGERPRINT, name: "Ada's laptop", platform: 'Windows 11' }
const REPORT = { kind: 'debugger', detail: 'A debugger was attached.' }

async function openWorld(tradepost: Tradepost, side: StoreSide): Promise<World> {
  const seller = await createSeller(tradepost, side.id)
  const program = await createProgram(tradepost, seller, { name: 'Photo editor' })
  const key = await createLicenseKey(seller, {
    app_id: program.appId,
    level: 1,
    entitlements: ['export'],
    max_devices: 2,
    duration_seconds: 31_536_000,
  })
  const session = await program.start({ license_key: key.key, device: DEVICE })
  return {
    ...{ tradepost, side, seller, program, key },
    device_id: session.device.id,
    token: session.session.token,
  }
}

const ofKey = async ({ key }: World) => ({ params: { id: key.id } })
const ofVariant = async ({ tradepost, side, seller }: World) => {
  const { variantId } = await product(tradepost, { type: 'license' }, { as: side })
  await seller.put(`/license-policies/${variantId}`, { level: 2, max_devices: 2 })
  return { params: { id: variantId } }
}

interface Input {
  params?: Record<string, string | number>
  body?: Json
}

/** The inputs of management calls that need a device or a record of another kind. */
const INPUTS: Record<string, (world: World) => Promise<Input>> = {
  'license_keys.get': ofKey,
  'license_keys.unban': async ({ seller, key }) => {
    await seller.post(`/keys/${key.id}/ban`, { reason: 'Shared in public.' })
    return { params: { id: key.id } }
  },
  'license_keys.list_devices': ofKey,
  'license_keys.reset_devices': ofKey,
  'license_keys.list_sessions': ofKey,
  'license_keys.end_sessions': ofKey,
  'license_keys.free_device': async ({ key, device_id }) => ({ params: { id: key.id, device_id } }),
  'license_keys.issue_file': async ({ key }) => ({
    params: { id: key.id },
    body: { fingerprint: FINGERPRINT },
  }),
  'license_policies.get': ofVariant,
  'license_policies.set': ofVariant,
}

/** Creates a record for a list, so that the list is not empty. */
async function fillList({ seller, program, token }: World, { id }: Endpoint) {
  const area = id.split('.')[0] ?? ''
  if (area === 'serverside_files') await createFile(seller)
  if (area === 'client_reports') await program.call('POST', '/reports', { token, body: REPORT })
  const create = preparedCalls[`${area}.create`]
  const path = `/${area.replaceAll('_', '-').replace('license-', '')}`
  if (create) await seller.post(path, (await create(seller)).body)
}

const ZIP = Buffer.from('PK\x05\x06'.padEnd(22, '\0'), 'latin1')
const uploadOf = (fields: Record<string, string>) =>
  formOf([{ bytes: ZIP, name: 'editor.zip', type: 'application/zip' }], fields)

/** Prepares a call of the management half. */
export async function managementCall(
  tradepost: Tradepost,
  side: StoreSide,
  endpoint: Endpoint,
): Promise<SampleCall> {
  const world = await openWorld(tradepost, side)
  const { seller } = world
  if (endpoint.upload) {
    const isNew = endpoint.method === 'POST'
    const params = isNew ? undefined : { id: (await createFile(seller)).id }
    const form = uploadOf(isNew ? { name: 'editor' } : {})
    return {
      ...{ path: endpoint.path, params, bodies: [undefined] },
      send: () => seller.call(endpoint.method, pathOf(endpoint, params), form),
    }
  }
  if (endpoint.id.endsWith('.list')) await fillList(world, endpoint)
  const prepareInput = INPUTS[endpoint.id]
  const { params, body } = prepareInput
    ? await prepareInput(world)
    : ((await preparedCalls[endpoint.id]?.(seller)) ?? {})
  return {
    ...{ path: endpoint.path, params },
    // The example of an endpoint names records that do not exist, unless it names none.
    bodies: [...(endpoint.example ? [endpoint.example] : []), body],
    send: (sent) => callEndpoint(seller, endpoint, { ...(params && { params }), body: sent }),
  }
}

interface ProgramInput {
  params?: Record<string, string | number>
  body?: Json
  isPublic?: boolean
}

const createText = ({ seller, program }: World) =>
  createString(seller, { app_id: program.appId, name: 'welcome', value: 'Welcome back.' })
const createPlugin = ({ seller, program }: World) =>
  createFile(seller, { app_id: String(program.appId), name: 'plugin.bin' })

/** The inputs of the calls of programs. */
const PROGRAM_INPUTS: Record<string, (world: World) => Promise<ProgramInput>> = {
  'client.key_set': async () => ({ isPublic: true }),
  'client.start_session': async ({ key }) => ({
    body: { license_key: key.key, device: DEVICE, app_version: '1.4.2' },
    isPublic: true,
  }),
  'client.validate': async ({ key }) => ({ body: { license_key: key.key }, isPublic: true }),
  'client.free_device': async ({ program, key }) => {
    const device = { fingerprint: 'b2c3d4e5f6071829', name: 'Old laptop', platform: 'Windows 10' }
    const other = await program.start({ license_key: key.key, device })
    return { params: { id: other.device.id } }
  },
  'client.read_string': async (world) => {
    await createText(world)
    return { params: { name: 'welcome' } }
  },
  'client.show_file': async (world) => {
    await createPlugin(world)
    return { params: { name: 'plugin.bin' } }
  },
  'client.read_settings': async ({ seller, program }) => {
    await createSetting(seller, { app_id: program.appId, key: 'max_layers', value: 64 })
    return {}
  },
  'client.report': async () => ({ body: REPORT }),
  'client.issue_file': async () => ({ body: { fingerprint: FINGERPRINT, ttl_seconds: 604_800 } }),
}

/** Prepares a call of a program. */
export async function programCall(
  tradepost: Tradepost,
  side: StoreSide,
  endpoint: ClientEndpoint,
): Promise<SampleCall> {
  const world = await openWorld(tradepost, side)
  const { program, token } = world
  const { params, body, isPublic } = (await PROGRAM_INPUTS[endpoint.id]?.(world)) ?? {}
  const { path } = endpoint
  const calledPath = path.replace(/:(\w+)/g, (_, name) => String(params?.[name]))
  return {
    ...{ path, params, bodies: [body] },
    send: (sent) =>
      program.call(endpoint.method, calledPath, {
        nonce: NONCE,
        ...(sent !== undefined && { body: sent }),
        ...(!isPublic && { token }),
      }),
  }
}
