import { notFound } from '../../../kernel/errors.ts'
import { openValue, selectActiveString } from '../strings/index.ts'
import { maySee } from './access.rules.ts'
import type { Call, LiveSession } from './call.ts'

export interface ReadString {
  name: string
  value: string
  version: number
}

/** R7: one string, to who may see it. */
export async function readString(
  { context, app, note }: Call,
  { row }: LiveSession,
  name: string,
): Promise<ReadString> {
  const string = await selectActiveString(context.db, context.store.id, app.id, name)
  if (!string || !maySee(string, row)) throw notFound('String')
  note('string', string.id)
  return { name: string.name, value: openValue(context, string), version: string.version }
}
