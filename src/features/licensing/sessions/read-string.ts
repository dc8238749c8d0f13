import { notFound } from '../../../kernel/errors.ts'
import { openValue, selectActiveString } from '../strings/index.ts'
import { isVisible } from './access.rules.ts'
import type { Call, LiveSession } from './call.ts'

export interface ReadString {
  name: string
  value: string
  version: number
}

/** R7: returns a string that this session may read. */
export async function readString(
  { context, app, note }: Call,
  { row }: LiveSession,
  name: string,
): Promise<ReadString> {
  const string = await selectActiveString(context.db, context.store.id, app.id, name)
  if (!string || !isVisible(string, row)) throw notFound('String')
  note('string', string.id)
  return { name: string.name, value: openValue(context, string), version: string.version }
}
