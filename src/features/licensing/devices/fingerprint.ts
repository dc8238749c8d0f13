import type { Vault } from '../../../kernel/vault.ts'

/** The keyed hash of a fingerprint. The same machine has another hash in each app. */
export const hashFingerprint = (vault: Vault, appId: number, fingerprint: string): Buffer =>
  vault.hmac('device.fingerprint', `${appId}|${fingerprint}`)

/** The components of a machine by name, hashed like its fingerprint. */
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
