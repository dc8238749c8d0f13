import { randomBytes } from 'node:crypto'
import type { Config } from '../config/config.ts'
import { isWholeKey, makeKeyFile, readKeyFile } from '../config/key-file.ts'
import type { Db } from '../db/database.ts'
import * as q from '../features/installation/secrets/index.ts'
import { createVault, KEY_BYTES, kidOf, type Vault } from '../kernel/vault.ts'
import { requireFolder } from './require-folder.ts'
import { StartError } from './start-error.ts'

/** Returns the master keys of the environment, or of the file in `DATA_DIR`, which the first start creates. */
async function readSecretsKeys({ secretsKeys, dataDir }: Config): Promise<readonly Uint8Array[]> {
  if (secretsKeys.length > 0) return secretsKeys
  const keys = (await readKeyFile(dataDir)) ?? []
  if (keys.every(isWholeKey)) return keys
  throw new StartError('secrets.key is not the base64 of 32 bytes. Restore the file from a backup.')
}

/**
 * Opens the vault of the installation. Its pepper is sealed in the database, so that API keys remain
 * valid when a master key is replaced (decision 58). Throws if a key in use is missing. A new key is
 * created only for a database without secrets.
 */
export async function openVault(db: Db, config: Config): Promise<Vault> {
  const existingKeys = await readSecretsKeys(config)
  await checkKeysInUse(db, existingKeys.map(kidOf))
  const keys = existingKeys.length > 0 ? existingKeys : await makeSecretsKey(config)
  const [first] = keys
  if (!first) throw new StartError('There is no secrets key.')
  await q.insertKid(db, kidOf(first))
  const pepperVault = createVault(keys, Buffer.alloc(KEY_BYTES))
  await q.insertPepper(db, pepperVault.seal(q.PEPPER_SEAL_CONTEXT, randomBytes(KEY_BYTES)))
  const sealedPepper = await q.selectPepper(db)
  if (!sealedPepper) throw new Error('The pepper was not stored.')
  return createVault(keys, pepperVault.open(q.PEPPER_SEAL_CONTEXT, sealedPepper))
}

async function makeSecretsKey(config: Config): Promise<readonly Uint8Array[]> {
  await requireFolder('DATA_DIR', config.dataDir)
  await makeKeyFile(config.dataDir, randomBytes(KEY_BYTES))
  return readSecretsKeys(config)
}

async function checkKeysInUse(db: Db, availableKids: readonly string[]): Promise<void> {
  const missingKid = (await q.selectKids(db)).find((kid) => !availableKids.includes(kid))
  if (missingKid === undefined) return
  throw new StartError(
    `The database has values sealed with the secrets key ${missingKid}, which is missing.\n` +
      'Set TRADEPOST_SECRETS_KEY to the keys of the installation, or restore secrets.key.',
  )
}
