import { z } from 'zod'
import { DateTime, Line } from '../../../kernel/shapes.ts'

const QUERY_LENGTH_MAX = 2_000

const Page = z
  .string()
  .max(60, 'Write at most 60 characters.')
  .regex(/^[a-z][a-z0-9/-]*$/, 'Use the path of a page, such as orders.')
  .describe('The page of the dashboard with the list, such as `orders`.')

const Fields = {
  name: Line(60).describe('The name of the view.'),
  query: z
    .string()
    .max(QUERY_LENGTH_MAX, `Write at most ${QUERY_LENGTH_MAX} characters.`)
    .regex(/^[\x21-\x7e]*$/, 'Use the query of a URL, such as status=paid, without the ?.')
    .describe('The filters as the query of a URL, such as `status=paid`.'),
}

export const SavedView = z
  .object({
    id: z.int().describe('The id of the saved view.'),
    page: Page,
    ...Fields,
    created_at: DateTime.describe('The time at which the view was saved.'),
    updated_at: DateTime.describe('The time of the last change.'),
  })
  .meta({ id: 'SavedView', description: 'Filters of a list that a user saved.' })
export type SavedView = z.output<typeof SavedView>

export const NewSavedView = z.strictObject({ page: Page, ...Fields })
export type NewSavedView = z.output<typeof NewSavedView>

export const SavedViewPatch = z.strictObject(Fields).partial()
export type SavedViewPatch = z.output<typeof SavedViewPatch>

export const SavedViewQuery = z.object({
  page: Page.optional().describe('Only views of this page.'),
})
