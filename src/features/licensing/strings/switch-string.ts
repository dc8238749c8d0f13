import type { StoreContext } from '../../../store-context.ts'
import type { Actor } from '../../installation/index.ts'
import { changeString, openValue } from './change-string.ts'
import type * as q from './queries.ts'
import type { ServersideString } from './schema.ts'

/** Activates or deactivates a string (specification, "States and transitions"). */
export const switchString = (
  context: StoreContext,
  actor: Actor,
  key: { id: number; version: number | undefined },
  status: q.StringRow['status'],
): Promise<ServersideString> =>
  changeString(
    context,
    actor,
    { ...key, action: 'serverside_string.switch' },
    (before, sealContext) => ({
      status,
      value_enc: context.vault.seal(sealContext, openValue(context, before)),
    }),
  )
