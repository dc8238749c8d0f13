import { z } from 'zod'
import { DateTime, Line, PathId, VisibleText } from '../../../kernel/shapes.ts'

const NAME_MAX = 60
/** The maximum length of a ticket's message. */
const BODY_MAX = 10_000

const Fields = {
  name: Line(NAME_MAX).describe('The name by which the team finds the reply.'),
  body: VisibleText(BODY_MAX).describe('The text of the reply.'),
}

export const SavedReply = z
  .object({
    id: z.int().describe('The id of the saved reply.'),
    ...Fields,
    created_at: DateTime.describe('The time at which the reply was saved.'),
    updated_at: DateTime.describe('The time of the last change.'),
  })
  .meta({ id: 'SavedReply', description: 'A text with which the team answers tickets.' })
export type SavedReply = z.output<typeof SavedReply>

export const NewSavedReply = z.strictObject(Fields)
export type NewSavedReply = z.output<typeof NewSavedReply>

export const SavedReplyPatch = z.strictObject(Fields).partial()
export type SavedReplyPatch = z.output<typeof SavedReplyPatch>

export const SavedReplyPath = z.object({ id: PathId.describe('The id of the saved reply.') })
