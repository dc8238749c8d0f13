import { z } from 'zod'
import {
  DateTime,
  Email,
  Line,
  ListQuery,
  OneOrMoreOf,
  PathId,
  ProductRef,
  VisibleText,
} from '../../../kernel/shapes.ts'

const STATUSES = ['pending', 'answered', 'hidden'] as const
export type QuestionStatus = (typeof STATUSES)[number]

const BODY_MAX = 1_000
const ANSWER_MAX = 2_000
const NAME_MAX = 128

export const Answer = z
  .object({
    id: z.int().describe('The id of the answer.'),
    body: z.string().describe('The text of the answer.'),
    author: z.literal('seller').describe('The author of the answer. Always `seller`.'),
    created_at: DateTime.describe('The time of the answer.'),
  })
  .meta({ id: 'Answer', description: 'An answer to a question.' })
export type Answer = z.output<typeof Answer>

export const Question = z
  .object({
    id: z.int().describe('The id of the question.'),
    object: z.literal('question').describe('Always `question`.'),
    product: z
      .object({
        id: z.string().describe('The product hash.'),
        name: z.string().describe('The current name of the product.'),
      })
      .describe('The product that the question is about.'),
    customer_email: z.string().describe('The email address of the customer, in lower case.'),
    customer_name: z
      .string()
      .nullable()
      .describe('The name of the customer; null if it was not given.'),
    body: z.string().describe('The text of the question.'),
    status: z
      .enum(STATUSES)
      .describe(
        'The status. Only an `answered` question is public. A `hidden` question was removed from public view.',
      ),
    answers: z.array(Answer).describe('All answers, the oldest first.'),
    created_at: DateTime.describe('The time of the question.'),
    answered_at: DateTime.nullable().describe(
      'The time of the first answer; null if there is none.',
    ),
  })
  .meta({ id: 'Question', description: 'A question about a product.' })
export type Question = z.output<typeof Question>

export const QuestionQuery = z.object({
  ...ListQuery,
  status: OneOrMoreOf(STATUSES).describe('One or several statuses.'),
  product_id: ProductRef.optional(),
  sort: z
    .enum(['-created_at', 'waiting'])
    .default('-created_at')
    .describe(
      '`-created_at` sorts the newest first. `waiting` sorts questions without an answer first, the oldest first, and then all others, the newest first.',
    ),
})
export type QuestionQuery = z.output<typeof QuestionQuery>

export const NewQuestion = z
  .strictObject({
    product_id: ProductRef,
    customer_email: Email.describe('The email address of the customer.'),
    customer_name: Line(NAME_MAX)
      .nullable()
      .default(null)
      .describe('The name of the customer that is shown with the question.'),
    body: VisibleText(BODY_MAX).describe('The text of the question.'),
  })
  .meta({ id: 'QuestionInput' })
export type NewQuestion = z.output<typeof NewQuestion>

export const QuestionPatch = z
  .strictObject({
    status: z
      .enum(STATUSES)
      .describe(
        '`hidden` hides the question. To show it again send `answered` if it has an answer, else `pending`.',
      ),
  })
  .partial()
  .meta({ id: 'QuestionPatch' })
export type QuestionPatch = z.output<typeof QuestionPatch>

export const NewAnswer = z
  .strictObject({ body: VisibleText(ANSWER_MAX).describe('The text of the answer.') })
  .meta({ id: 'AnswerInput' })

export const QuestionPath = z.object({ id: PathId.describe('The id of the question.') })
