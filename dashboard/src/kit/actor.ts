import type { AccountAuditEvent } from '../api/store.ts'
import { actors } from '../text/actors.ts'
import { fill } from '../text/catalogue.ts'

type Actor = Pick<AccountAuditEvent['actor'], 'type' | 'name'>

/** The person or program that made a change, in words. */
export function actorText({ type, name }: Actor): string {
  switch (type) {
    case 'user':
      return name ?? actors.user
    case 'api_key':
      return name === null ? actors.key : fill(actors.keyNamed, { name })
    case 'customer':
      return actors.customer
    case 'command_line':
      return actors.commandLine
    default:
      return actors.system
  }
}
