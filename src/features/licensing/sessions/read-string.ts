import { notFound } from '../../../kernel/errors.ts'
import { selectActiveRecord } from '../app-records/index.ts'
import { openValue, STRINGS } from '../strings/index.ts'
import { isVisible } from './access.rules.ts'
import type { LiveSession, ProgramCall } from './call.ts'

/** Returns a string that this session may read. */
export async function readString(
  { context, app, countUse, countRead }: ProgramCall,
  { row }: LiveSession,
  name: string,
): Promise<{ name: string; value: string; version: number }> {
  const string = await selectActiveRecord(context.db, context.store.id, STRINGS, {
    appId: app.id,
    name,
  })
  if (!string || !isVisible(string, row)) throw notFound('String')
  countUse('string', string.id)
  countRead('string', string.id, row)
  return { name: string.name, value: openValue(context, string), version: string.version }
}
