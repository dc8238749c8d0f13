import { randomBytes } from 'node:crypto'
import type { Config } from '../config/config.ts'
import { isWholeKey, makeKeyFile, readKeyFile } from '../config/key-file.ts'
import type { Db } from '../db/database.ts'
import * as q from '../features/installation/secrets/index.ts'
import { createVault, KEY_BYTES, kidOf, type Vault } from '../kernel/vault.ts'
import { needFolder } from './need-folder.ts'
import { StartError } from './start-error.ts'

/**
 * The master keys of the environment, or else of the file in `DATA_DIR`; none before the first
 * start.
 */
async function readSecretsKeys({ secretsKeys, dataDir }: Config): Promise<readonly Uint8Array[]> {
  if (secretsKeys.length > 0) return secretsKeys
  const keys = (await readKeyFile(dataDir)) ?? []
  if (keys.every(isWholeKey)) return keys
  throw new StartError(
    'secrets.key does not hold the base64 of 32 bytes; restore it from a backup.',
  )
}

/**
 * The vault of an installation. Its pepper is stored in the database, sealed, so that replacing a
 * master key does not invalidate every API key (decision 58). Refuses to start if a key in use is
 * missing; a new key is created only for a database without secrets.
 */
export async function openVault(db: Db, config: Config): Promise<Vault> {
  const found = await readSecretsKeys(config)
  await checkKeysInUse(db, found.map(kidOf))
  const keys = found.length > 0 ? found : await makeSecretsKey(config)
  const [first] = keys
  if (!first) throw new StartError('There is no secrets key.')
  await q.insertKid(db, kidOf(first))
  const sealing = createVault(keys, Buffer.alloc(KEY_BYTES))
  await q.insertPepper(db, sealing.seal(q.PEPPER_SEAL_CONTEXT, randomBytes(KEY_BYTES)))
  const sealed = await q.selectPepper(db)
  if (!sealed) throw new Error('The pepper was not stored.')
  return createVault(keys, sealing.open(q.PEPPER_SEAL_CONTEXT, sealed))
}

async function makeSecretsKey(config: Config): Promise<readonly Uint8Array[]> {
  await needFolder('DATA_DIR', config.dataDir)
  await makeKeyFile(config.dataDir, randomBytes(KEY_BYTES))
  return readSecretsKeys(config)
}

async function checkKeysInUse(db: Db, own: readonly string[]): Promise<void> {
  const missing = (await q.selectKids(db)).find((kid) => !own.includes(kid))
  if (missing === undefined) return
  throw new StartError(
    `The database holds values sealed with the secrets key ${missing}, which is not here.\n` +
      'Set TRADEPOST_SECRETS_KEY to the keys of the installation, or restore secrets.key.',
  )
}
