import type { Vault } from '../../../kernel/vault.ts'

/** Returns the keyed hash of a fingerprint. A machine has a different hash in each app. */
export const hashFingerprint = (vault: Vault, appId: number, fingerprint: string): Buffer =>
  vault.hmac('device.fingerprint', `${appId}|${fingerprint}`)

/** Returns the components of a machine by name, hashed like its fingerprint. */
export const hashComponents = (
  vault: Vault,
  appId: number,
  components: Readonly<Record<string, string>>,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(components).map(([name, value]) => [
      name,
      vault.hmac('device.component', `${appId}|${name}|${value}`).toString('base64url'),
    ]),
  )
