import type { Place } from '../../../kernel/vault.ts'

/** A key is sealed under its own hash, which is known before its row is written. */
export const stockKeySealContext = (storeId: number, hmac: Buffer): Place => ({
  column: 'stock_key.value',
  storeId,
  row: hmac.toString('base64'),
})
