import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from '../../process/build-once.ts'
import { elapse } from '../../until.ts'
import type { LoadTools } from './load.ts'
import type { Program } from './program.ts'

type Sdk = typeof import('../../../sdk/client-security/index.ts')

/** The built client, which client programs use. */
const SDK = pathToFileURL(join(ROOT, 'sdk', 'dist', 'client-security', 'index.js')).href
const LICENSES = 40
const HEARTBEATS_MAX = 4

interface Licenses {
  sdk: Sdk
  appId: string
  signingKeys: ConstructorParameters<Sdk['ClientSecurity']>[0]['keys']
  keys: string[]
}

export async function createLicenses({ api }: LoadTools): Promise<Licenses> {
  const rate_limits = {
    ...{ unknown_keys: null, unknown_tokens: null, session_starts: null },
    ...{ validations: null, session_calls: null },
  }
  const { app } = await api.request('POST', '/security/v1/apps', { name: 'Soak', rate_limits })
  const path = `/security/v1/apps/${app.id}/signing-keys`
  const { signing_keys } = await api.request('GET', path)
  const newKeys = { app_id: app.id, count: LICENSES }
  const { keys } = await api.request('POST', '/security/v1/keys', newKeys)
  const motd = { app_id: app.id, name: 'motd', value: 'hello' }
  await api.request('POST', '/security/v1/serverside-strings', motd)
  return {
    sdk: await import(SDK),
    appId: app.public_id,
    signingKeys: signing_keys,
    keys: keys.map(({ key }: { key: string }) => key),
  }
}

/** Runs one session after the other until the load is over. A session sends heartbeats and reads a string. */
export async function runPrograms(
  tools: LoadTools,
  program: Program,
  licenses: Licenses,
): Promise<void> {
  const { api, record, chance } = tools
  while (!api.isStopped) {
    const from = Date.now()
    try {
      if (program.server) await runSession(tools, program.server.origin, licenses)
    } catch (error) {
      const { name, message } = error as Error
      record.add(`sessions: ${name}`)
      // A fault may interrupt a session. A session without a fault must not fail.
      if (record.possibleFaults(from, Date.now()).length === 0 && !api.isStopped) {
        record.problem('sessions', `${record.elapsed()} ${name}: ${message}`)
      }
    }
    await elapse(100 + chance() * 200)
  }
}

async function runSession({ api, record, chance }: LoadTools, origin: string, licenses: Licenses) {
  const { sdk, appId, signingKeys, keys } = licenses
  const client = new sdk.ClientSecurity({
    url: `${origin}/security/v1`,
    appId,
    keys: signingKeys,
    fingerprint: randomBytes(16).toString('hex'),
    ...(chance() < 0.5 && { device: await sdk.deviceSigner(await sdk.newDeviceKey()) }),
    fetch: async (address, init) => {
      const from = Date.now()
      const { pathname } = new URL(String(address))
      try {
        const response = await fetch(address, init)
        api.checkStatus(response.status, from, pathname)
        return response
      } catch (error) {
        api.checkLoss(error, from, pathname)
        throw error
      }
    },
  })
  const { valid, code } = await client.start(chance.pick(keys))
  record.add(`session ${code}`)
  if (!valid) return
  for (
    let remaining = chance.below(HEARTBEATS_MAX);
    remaining >= 0 && !api.isStopped;
    remaining--
  ) {
    await elapse(chance() * 300)
    await client.heartbeat()
    record.add('heartbeats')
  }
  await client.string('motd')
  await client.end()
  record.add('sessions')
}
