import { expect } from 'vitest'
import { ClientSecurity } from '../../sdk/client-security/index.ts'
import type { LicenseKeysInput } from '../../sdk/client-security/management/index.ts'
import type { OpenedDashboard } from './dashboard-harness.ts'

export interface LicensedProgram {
  app: { id: number; name: string }
  key: { id: number; key: string; key_preview: string }
  program: ClientSecurity
}

/** Creates an app with a license key, and starts its program on a device. */
export async function startLicensedProgram(
  { management, server }: OpenedDashboard,
  terms: Omit<LicenseKeysInput, 'app_id'> = {},
): Promise<LicensedProgram> {
  const { app } = await management.apps.create({
    name: 'Photo editor',
    report_rules: { debugger: 'ban_key' },
  })
  const { signing_keys } = await management.apps.listSigningKeys(app.id)
  const [key] = (await management.licenseKeys.create({ ...terms, app_id: app.id })).keys
  if (!key) throw new Error('No key was created.')
  const program = new ClientSecurity({
    url: `${server.origin}/security/v1`,
    appId: app.public_id,
    keys: signing_keys,
    fingerprint: 'board-4711-disk-0815',
  })
  const { code } = await program.start(key.key, {
    app_version: '1.4.2',
    device: { name: "Mara's laptop", platform: 'linux' },
  })
  expect(code).toBe('VALID')
  return { app, key, program }
}
