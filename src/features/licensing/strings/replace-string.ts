import type { StoreContext } from '../../../store-context.ts'
import type { Actor } from '../../installation/index.ts'
import { changeString, refuseTakenName } from './change-string.ts'
import type { ServersideString, StringContent } from './schema.ts'

/** Replaces all fields of a string except its status. */
export function replaceString(
  context: StoreContext,
  actor: Actor,
  key: { id: number; version: number | undefined },
  { value, ...fields }: StringContent,
): Promise<ServersideString> {
  return refuseTakenName(() =>
    changeString(
      context,
      actor,
      { ...key, action: 'serverside_string.update' },
      (_before, sealContext) => ({
        ...fields,
        value_bytes: Buffer.byteLength(value),
        value_enc: context.vault.seal(sealContext, value),
      }),
    ),
  )
}
