import type { Place } from '../../../kernel/vault.ts'

/** All copies of a message are sealed under its id, so that one statement can address many. */
export const mailPlace = (storeId: number, message: string): Place => ({
  column: 'mail.content',
  storeId,
  row: message,
})
